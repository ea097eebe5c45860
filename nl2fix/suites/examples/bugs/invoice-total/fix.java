    public long netCents() {
        long sum = 0;
        for (LineItem item : items) {
            sum += (long) item.unitPriceCents() * item.quantity();
        }
        return sum;
    }

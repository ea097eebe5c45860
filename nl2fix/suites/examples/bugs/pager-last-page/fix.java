    public int pageCount() {
        return (items.size() + pageSize - 1) / pageSize;
    }

    public DateRange {
        Objects.requireNonNull(start, "start");
        if (end != null && end.isBefore(start)) {
            throw new IllegalArgumentException("ends on " + end + " before it starts on " + start);
        }
    }

    public long days() {
        return ChronoUnit.DAYS.between(borrowed.toLocalDate(), returned.toLocalDate());
    }

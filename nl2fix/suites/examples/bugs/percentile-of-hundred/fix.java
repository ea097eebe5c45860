    static int rank(double percent, int count) {
        return Math.max(0, (int) Math.ceil(percent * count / 100) - 1);
    }

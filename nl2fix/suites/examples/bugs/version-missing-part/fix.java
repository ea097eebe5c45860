    @Override
    public int compareTo(Version other) {
        int longest = Math.max(parts.length, other.parts.length);
        for (int i = 0; i < longest; i++) {
            int mine = i < parts.length ? parts[i] : 0;
            int theirs = i < other.parts.length ? other.parts[i] : 0;
            int order = Integer.compare(mine, theirs);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

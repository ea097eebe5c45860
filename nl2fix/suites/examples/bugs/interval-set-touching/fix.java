    public void add(int start, int end) {
        Interval added = new Interval(start, end);
        int low = added.start();
        int high = added.end();
        Map.Entry<Integer, Integer> before = ends.lowerEntry(low);
        if (before != null && before.getValue() >= low) {
            low = before.getKey();
            high = Math.max(high, before.getValue());
        }
        Map.Entry<Integer, Integer> next = ends.ceilingEntry(low);
        while (next != null && next.getKey() <= high) {
            high = Math.max(high, next.getValue());
            ends.remove(next.getKey());
            next = ends.ceilingEntry(low);
        }
        ends.put(low, high);
    }

    public static QueryOptions of(Map<String, String> given) {
        Map<String, String> merged = new TreeMap<>(DEFAULTS);
        for (Map.Entry<String, String> option : given.entrySet()) {
            if (!DEFAULTS.containsKey(option.getKey())) {
                throw new IllegalArgumentException("unknown option " + option.getKey());
            }
            merged.put(option.getKey(), option.getValue().trim());
        }
        return new QueryOptions(merged);
    }

    @SuppressWarnings("unchecked")
    public <T> T[] toArray(T[] target) {
        Object[] source = elements.toArray();
        T[] result = target;
        if (target.length < source.length) {
            result = Arrays.copyOf(target, source.length);
        }
        System.arraycopy(source, 0, result, 0, source.length);
        Arrays.fill(result, source.length, result.length, null);
        return result;
    }

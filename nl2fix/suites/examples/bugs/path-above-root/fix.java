    public static String normalize(String path) {
        Deque<String> names = new ArrayDeque<>();
        boolean absolute = isAbsolute(path);
        for (String segment : path.split("/")) {
            if (segment.isEmpty() || segment.equals(".")) {
                continue;
            }
            if (!segment.equals("..")) {
                names.addLast(segment);
            } else if (!names.isEmpty() && !names.peekLast().equals("..")) {
                names.removeLast();
            } else if (!absolute) {
                names.addLast(segment);
            }
        }
        String joined = String.join("/", names);
        if (absolute) {
            return "/" + joined;
        }
        return joined.isEmpty() ? "." : joined;
    }

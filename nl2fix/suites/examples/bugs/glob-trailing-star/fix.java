    private boolean matches(int p, String name, int n) {
        if (p == pattern.length()) {
            return n == name.length();
        }
        char c = pattern.charAt(p);
        if (c == '*') {
            return matches(p + 1, name, n) || n < name.length() && matches(p, name, n + 1);
        }
        if (n == name.length()) {
            return false;
        }
        return (c == '?' || c == name.charAt(n)) && matches(p + 1, name, n + 1);
    }

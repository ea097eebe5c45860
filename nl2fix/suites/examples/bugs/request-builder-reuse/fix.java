        public Request build() {
            if (!path.startsWith("/")) {
                throw new IllegalStateException("path must begin with a slash: " + path);
            }
            return new Request(path, Collections.unmodifiableMap(new LinkedHashMap<>(params)));
        }

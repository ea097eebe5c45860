        @Override
        public boolean hasNext() {
            while (!current.hasNext() && remaining.hasNext()) {
                current = remaining.next().iterator();
            }
            return current.hasNext();
        }

    public static void skipFully(InputStream in, long count) throws IOException {
        long left = count;
        while (left > 0) {
            long skipped = in.skip(left);
            if (skipped <= 0) {
                if (in.read() < 0) {
                    throw new EOFException("expected " + count + " bytes, found " + (count - left));
                }
                skipped = 1;
            }
            left -= skipped;
        }
    }

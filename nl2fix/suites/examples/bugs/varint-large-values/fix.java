    public static long read(ByteBuffer in) {
        long value = 0;
        for (int i = 0; i < MAX_BYTES; i++) {
            byte group = in.get();
            value |= (long) (group & 0x7f) << 7 * i;
            if (group >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("integer of more than " + MAX_BYTES + " bytes");
    }

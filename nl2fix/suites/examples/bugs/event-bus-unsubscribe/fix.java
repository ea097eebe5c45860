    public int publish(E event) {
        int told = 0;
        for (Listener<? super E> listener : new ArrayList<>(listeners)) {
            listener.happened(event);
            told++;
        }
        return told;
    }

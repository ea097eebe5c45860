    private void refill() {
        long now = clock.millis();
        long earned = (now - refilledAt) / millisPerToken;
        tokens = (int) Math.min(size, tokens + earned);
        refilledAt += earned * millisPerToken;
    }

package examples.limiter;

/** Limits how often something may happen: every attempt takes a token, tokens come back with time. */
public final class TokenBucket {

    private final Clock clock;
    private final int size;
    private final long millisPerToken;
    private int tokens;
    private long refilledAt;

    public TokenBucket(Clock clock, int size, long millisPerToken) {
        if (size < 1 || millisPerToken < 1) {
            throw new IllegalArgumentException("size and interval must be positive");
        }
        this.clock = clock;
        this.size = size;
        this.millisPerToken = millisPerToken;
        this.tokens = size;
        this.refilledAt = clock.millis();
    }

    /** Takes a token if there is one. */
    public synchronized boolean tryAcquire() {
        refill();
        if (tokens == 0) {
            return false;
        }
        tokens--;
        return true;
    }

    /** Tokens that could be taken now. */
    public synchronized int available() {
        refill();
        return tokens;
    }

    private void refill() {
        long now = clock.millis();
        long earned = (now - refilledAt) / millisPerToken;
        tokens = (int) Math.min(size, tokens + earned);
        refilledAt = now;
    }
}

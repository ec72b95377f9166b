package io.github.reloadrouter;

/** Why a publisher cannot do what it was called for. */
public final class PublisherException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;
    /** Whether another attempt is of use: {@code no}, {@code later} or {@code reconnect}. */
    final String retry;

    PublisherException(String code, String retry, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.retry = retry;
    }

    PublisherException(String code, String message, Throwable cause) { this(code, "no", message, cause); }

    /**
     * Returns the router's code where the router has ended the session for good; else {@code closed}, {@code
     * not-connected} (no session began in time), what an answer over HTTP says, or nothing without one, {@code frame-length} (the push is too long), {@code outbox} or {@code
     * security}.
     */
    public String code() { return code; }
}

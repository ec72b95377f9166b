package io.github.reloadrouter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One push: a payload, and how the router should treat it.
 *
 * @param payload a JSON object in UTF-8, which the router checks; leave it unchanged until {@code push} returns
 * @param urgent whether its reloads precede others
 * @param expiresAt when reloads that wait for it alone are not worth sending any more; null for never. A date before
 *     2001 or after 9999 is refused: it was made from a number in another unit
 * @param kinds the kinds of widgets that it is limited to; null for all kinds
 */
public record Push(byte[] payload, boolean urgent, Instant expiresAt, List<String> kinds) {
    private static final Instant FIRST_DATE = Instant.parse("2001-01-01T00:00:00Z");
    private static final Instant LAST_DATE = Instant.parse("9999-12-31T23:59:59.999Z");

    /** Makes a push from its parts. */
    public Push {
        Objects.requireNonNull(payload, "payload");
        if (expiresAt != null && (expiresAt.isBefore(FIRST_DATE) || expiresAt.isAfter(LAST_DATE))) {
            throw new IllegalArgumentException("expiresAt is " + expiresAt + ", which is no date from 2001 to 9999; was"
                    + " it made from a number that is not in milliseconds since 1970?");
        }
        kinds = kinds == null ? null : List.copyOf(kinds);
    }

    /** Returns a push of a JSON object in UTF-8. */
    public static Push of(byte[] payload) { return new Push(payload, false, null, null); }

    /** Returns a push of a JSON object as text. */
    public static Push of(String payload) { return of(payload.getBytes(StandardCharsets.UTF_8)); }

    /** Returns a push of maps, lists, strings, numbers, booleans and nulls, written as JSON. */
    public static Push of(Map<String, ?> payload) { return of(Json.write(payload)); }

    /** Returns this push as an urgent one. */
    public Push asUrgent() { return new Push(payload, true, expiresAt, kinds); }

    /** Returns this push with a date at which it expires. */
    public Push expiringAt(Instant date) { return new Push(payload, urgent, date, kinds); }

    /** Returns this push limited to some kinds. */
    public Push forKinds(List<String> names) { return new Push(payload, urgent, expiresAt, names); }
}

package dev.millrace.client;

import java.time.Instant;
import java.util.Optional;

/**
 * Tokens with which one person answers a step. Whoever has a token can use it.
 *
 * @param actor the person
 * @param acceptToken approves or completes
 * @param denyToken denies
 * @param expireTime time when both expire
 */
public record WaitLink(String actor, String acceptToken, String denyToken, Optional<Instant> expireTime) {
    static WaitLink of(dev.millrace.proto.signal.v1.WaitLink message) {
        return new WaitLink(
                message.getActor(),
                message.getAcceptToken(),
                message.getDenyToken(),
                Messages.time(message.hasExpireTime(), message.getExpireTime()));
    }

    /** Hides the tokens. */
    @Override
    public String toString() {
        return "WaitLink[actor=" + actor + ", expireTime=" + expireTime + "]";
    }
}

package dev.millrace.gateway.login;

import dev.millrace.proto.identity.v1.Token;
import java.time.Duration;
import java.time.Instant;

/** How long a browser keeps the token of a session. The scheduler may end the session before. */
final class SessionAge {

    private SessionAge() {}

    static Duration of(Token session) {
        var left = Duration.between(
                Instant.now(), Instant.ofEpochSecond(session.getExpireTime().getSeconds()));
        return left.isNegative() ? Duration.ZERO : left;
    }
}

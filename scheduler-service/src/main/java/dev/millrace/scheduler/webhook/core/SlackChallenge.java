package dev.millrace.scheduler.webhook.core;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.Map;
import java.util.Optional;

/** The call with which Slack checks a new address. It starts no run: its answer repeats a text. */
public final class SlackChallenge {
    private SlackChallenge() {}

    /** The answer to such a call; empty for other calls. */
    public static Optional<JsonValue> answer(Scheme scheme, HookContent content) {
        if (scheme != Scheme.SLACK || content.body().kind() != JsonValue.Kind.OBJECT) {
            return Optional.empty();
        }
        Map<String, JsonValue> members = content.body().members();
        boolean isCheck = members.getOrDefault("type", JsonValue.NULL).equals(JsonValue.ofString("url_verification"));
        return isCheck
                ? Optional.ofNullable(members.get("challenge"))
                        .map(challenge -> JsonValue.ofMembers(Map.of("challenge", challenge)))
                : Optional.empty();
    }
}

package dev.millrace.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Describes tokens to people. */
public final class TokenText {
    private TokenText() {}

    /** Name, expiry and restrictions in one line. */
    public static String of(JsonNode token) {
        String cut = restrictions(token);
        return ControlCharacters.line(Json.text(token, "name")) + ", " + expiry(token)
                + (cut.isEmpty() ? ", without restrictions" : ", only for " + cut);
    }

    static String expiry(JsonNode token) {
        return token.has("expire_time")
                ? "valid until " + Times.text(Json.text(token, "expire_time"))
                : "valid forever";
    }

    /** What the token is restricted to; empty for nothing. */
    public static String restrictions(JsonNode token) {
        JsonNode cut = token.path("restrictions");
        List<String> parts = new ArrayList<>();
        add(parts, "workspace ", cut.path("workspaces"));
        add(parts, "folder ", cut.path("folders"));
        add(parts, "tag ", cut.path("tags"));
        if (cut.has("role_max")) {
            parts.add("role " + Json.text(cut, "role_max"));
        }
        return ControlCharacters.line(String.join("; ", parts));
    }

    static String state(JsonNode token, Instant now) {
        if (token.has("revoke_time")) {
            return "revoked";
        }
        return Json.instant(token, "expire_time")
                        .filter(time -> !time.isAfter(now))
                        .isPresent()
                ? "expired"
                : "valid";
    }

    private static void add(List<String> parts, String what, JsonNode names) {
        if (!names.isEmpty()) {
            parts.add(what
                    + String.join(",", names.valueStream().map(JsonNode::asText).toList()));
        }
    }
}

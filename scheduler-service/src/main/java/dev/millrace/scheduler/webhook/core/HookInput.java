package dev.millrace.scheduler.webhook.core;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes the input of a run from a call. */
public final class HookInput {
    /** Headers that may hold credentials, whatever the scheme of the webhook. */
    private static final Set<String> SECRET_HEADERS = Set.of("authorization", "proxy-authorization", "cookie");

    private HookInput() {}

    /**
     * The input: the fixed members, and beside them the members of the body or the wanted parts. A fixed member wins, so
     * that a caller cannot change it.
     *
     * @param fixed members that each run gets
     * @param parts wanted parts, each under its name; empty means the members of the body, or the member {@code body} if it
     *     is no object
     * @param secretHeader name of the header that holds the secret of the webhook; empty if there is none
     */
    public static JsonValue of(
            JsonValue fixed, List<InputPart> parts, HookCall call, HookContent content, String secretHeader) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        if (parts.isEmpty()) {
            if (content.body().kind() == JsonValue.Kind.OBJECT) {
                members.putAll(content.body().members());
            } else if (!content.body().isNull()) {
                members.put(InputPart.BODY.text(), content.body());
            }
        } else {
            parts.forEach(part -> members.put(part.text(), part(part, call, content, secretHeader)));
        }
        members.putAll(fixed.members());
        return JsonValue.ofMembers(members);
    }

    private static JsonValue part(InputPart part, HookCall call, HookContent content, String secretHeader) {
        return switch (part) {
            case BODY -> content.body();
            case RAW_BODY -> JsonValue.ofString(Base64.getEncoder().encodeToString(call.body()));
            case HEADERS -> headers(call, secretHeader);
            case QUERY -> query(call);
            case METHOD -> JsonValue.ofString(call.method());
            case EVENT -> content.event().orElse(JsonValue.NULL);
        };
    }

    private static JsonValue headers(HookCall call, String secretHeader) {
        Map<String, List<JsonValue>> values = new LinkedHashMap<>();
        for (HookCall.Header header : call.headers()) {
            if (!SECRET_HEADERS.contains(header.name()) && !header.name().equals(secretHeader)) {
                values.computeIfAbsent(header.name(), _ -> new ArrayList<>()).add(JsonValue.ofString(header.value()));
            }
        }
        return FormText.object(values);
    }

    private static JsonValue query(HookCall call) {
        try {
            return FormText.ofQuery(call.query());
        } catch (UnreadableBody unreadable) {
            // A query is no reason to refuse a call whose body is what counts.
            return JsonValue.ofMembers(Map.of("unreadable", JsonValue.ofString(call.query())));
        }
    }
}

package dev.millrace.scheduler.version;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What refers to a secret or resource.
 *
 * @param flows paths of deployed flows, {@link ReferenceUseRows#NAMED_MAX} at most
 * @param others whatever else refers to it, as many of each kind at most
 */
public record ReferenceUsers(List<String> flows, List<ReferenceUser> others) {
    public static final ReferenceUsers NONE = new ReferenceUsers(List.of(), List.of());

    public ReferenceUsers {
        flows = List.copyOf(flows);
        others = List.copyOf(others);
    }

    public boolean isEmpty() {
        return flows.isEmpty() && others.isEmpty();
    }

    /** All of them as part of a sentence, such as {@code the flow a, and by the webhooks b, c}. */
    public String clause() {
        Map<String, List<String>> names = new LinkedHashMap<>();
        flows.forEach(
                flow -> names.computeIfAbsent("flow", _ -> new ArrayList<>()).add(flow));
        others.forEach(other ->
                names.computeIfAbsent(other.phrase(), _ -> new ArrayList<>()).add(other.path()));
        List<String> parts = names.entrySet().stream()
                .map(kind -> "the " + kind.getKey() + (kind.getValue().size() == 1 ? " " : "s ")
                        + String.join(", ", kind.getValue()))
                .toList();
        int last = parts.size() - 1;
        return last <= 0
                ? String.join("", parts)
                : String.join(", by ", parts.subList(0, last)) + ", and by " + parts.get(last);
    }
}

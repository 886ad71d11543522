package dev.millrace.contract;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the operation to which a path belongs. */
final class PathTemplate {
    private static final Pattern PARAMETER = Pattern.compile("\\{[^}]+}");
    private static final String SEGMENT = "[^/]+";

    private PathTemplate() {}

    /**
     * The operation with the most literal template that fits. The last parameter spans several segments only if no
     * template fits otherwise. This is needed because paths of flows and scripts contain slashes.
     */
    static Optional<Operation> find(Collection<Operation> operations, String method, String path) {
        return find(operations, method, path, SEGMENT).or(() -> find(operations, method, path, ".+"));
    }

    private static Optional<Operation> find(
            Collection<Operation> operations, String method, String path, String lastParameter) {
        return operations.stream()
                .filter(operation -> operation.method().equals(method))
                .filter(operation ->
                        pattern(operation.path(), lastParameter).matcher(path).matches())
                .max(Comparator.comparingInt(operation -> literals(operation.path())));
    }

    private static Pattern pattern(String template, String lastParameter) {
        var pattern = new StringBuilder();
        var matcher = PARAMETER.matcher(template);
        int end = 0;
        while (matcher.find()) {
            pattern.append(Pattern.quote(template.substring(end, matcher.start())));
            end = matcher.end();
            pattern.append(end == template.length() ? lastParameter : SEGMENT);
        }
        return Pattern.compile(pattern + Pattern.quote(template.substring(end)), Pattern.DOTALL);
    }

    private static int literals(String template) {
        return PARAMETER.matcher(template).replaceAll("").length();
    }
}

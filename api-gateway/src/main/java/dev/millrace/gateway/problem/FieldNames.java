package dev.millrace.gateway.problem;

import java.util.regex.Pattern;

/** Translates field paths of the gRPC contract to those of the REST API if they differ. */
final class FieldNames {

    private static final Pattern ITEM = Pattern.compile("^specs\\[");
    private static final Pattern SPEC = Pattern.compile("^spec\\.");
    private static final Pattern PATH = Pattern.compile("(^|\\.)(target\\.script|target\\.flow|filter\\.flow)_path$");

    private FieldNames() {}

    static String rest(String field) {
        var item = ITEM.matcher(field).replaceFirst("items[");
        var spec = SPEC.matcher(item).replaceFirst("");
        return PATH.matcher(spec).replaceFirst("$1$2");
    }
}

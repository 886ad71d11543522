package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;

/** Reads what stands between the braces: two names, and the way on from there. */
final class PathReader {
    private final String path;
    private final References references;

    PathReader(String path, References references) {
        this.path = path.strip();
        this.references = references;
    }

    Expression path() {
        int holderEnd = nameEnd(0);
        String holder = path.substring(0, holderEnd);
        int memberEnd = holderEnd;
        String member = "";
        if (holderEnd < path.length() && path.charAt(holderEnd) == '.') {
            memberEnd = nameEnd(holderEnd + 1);
            member = path.substring(holderEnd + 1, memberEnd);
        }
        if (holder.isEmpty()) {
            throw new PathInvalid(
                    "\"${" + path + "}\" does not begin with a name.",
                    "Begin with workflow or the taskReferenceName of a task, for example ${fetch.output.body}.");
        }
        Expression root = references.find(holder, member).orElseGet(() -> Composed.constant(JsonValue.NULL));
        String rest = path.substring(memberEnd);
        if (rest.isEmpty()) {
            return root;
        }
        return rest.contains("${") ? computed(root, rest) : new PathValue(root, PathSegments.read(rest), path);
    }

    /** A path that is itself made of values. */
    private Expression computed(Expression root, String rest) {
        return switch (PathTemplates.read(rest, references)) {
            case TemplateReading.Read read -> new ComputedPath(root, text(read.template()), path);
            case TemplateReading.Unreadable unreadable ->
                throw new PathInvalid(unreadable.message(), unreadable.remedy());
        };
    }

    private static Expression text(Template template) {
        return new Composed(template);
    }

    private int nameEnd(int from) {
        int end = from;
        while (end < path.length() && ".[$ ".indexOf(path.charAt(end)) < 0) {
            end++;
        }
        return end;
    }
}

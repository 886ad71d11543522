package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Path of the flow that stands for a workflow name. A name that is not a string is returned unchanged.
 *
 * @param version version number of the flow; null selects the version deployed at the path
 */
record FlowPath(Expression name, Expression version) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue value = name.evaluate(scope);
        return value.kind() == JsonValue.Kind.STRING
                ? JsonValue.ofString(WorkflowNames.path(value.string(), version.evaluate(scope)))
                : value;
    }

    @Override
    public boolean isPlain() {
        return name.isPlain() && version.isPlain();
    }

    @Override
    public List<Path> paths() {
        return Stream.of(name, version)
                .flatMap(part -> switch (part) {
                    case Path path -> Stream.of(path);
                    case Computed computed -> computed.paths().stream();
                })
                .toList();
    }

    @Override
    public Reads reads() {
        return name.reads().and(version.reads());
    }

    @Override
    public String toString() {
        return "path of " + name;
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".flow_path")
                .expression(name)
                .expression(version)
                .write();
    }
}

package dev.millrace.scheduler.expression.jq;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import net.thisptr.jackson.jq.BuiltinFunctionLoader;
import net.thisptr.jackson.jq.Expression;
import net.thisptr.jackson.jq.Function;
import net.thisptr.jackson.jq.PathOutput;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Version;
import net.thisptr.jackson.jq.Versions;
import net.thisptr.jackson.jq.exception.JsonQueryException;
import net.thisptr.jackson.jq.path.Path;

/** Functions of jq, with metering and without those that access the machine. */
final class Builtins {
    static final Version VERSION = Versions.JQ_1_6;

    private static final List<String> REMOVED =
            List.of("env/0", "input_filename/0", "input/0", "inputs/0", "debug/0", "debug/1", "stderr/0");
    private static final Scope ROOT = root();

    private Builtins() {}

    /** Makes a scope for one query. */
    static Scope scope() {
        return Scope.newChildScope(ROOT);
    }

    private static Scope root() {
        Scope root = Scope.newEmptyScope();
        Map<String, Function> functions = BuiltinFunctionLoader.getInstance().listFunctions(VERSION, root);
        functions.forEach((signature, function) -> root.addFunction(signature, new Metered(function)));
        for (String signature : REMOVED) {
            root.addFunction(signature, new Removed(signature));
        }
        root.setValue("ENV", com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.objectNode());
        return root;
    }

    /** A function whose calls and outputs are counted. */
    private record Metered(Function function) implements Function {
        @Override
        public void apply(
                Scope scope, List<Expression> args, JsonNode in, Path path, PathOutput output, Version version)
                throws JsonQueryException {
            Meter.tick();
            function.apply(
                    scope,
                    args,
                    in,
                    path,
                    (value, where) -> {
                        Meter.tick();
                        output.emit(value, where);
                    },
                    version);
        }
    }

    /** A function that is not available. */
    private record Removed(String signature) implements Function {
        @Override
        public void apply(
                Scope scope, List<Expression> args, JsonNode in, Path path, PathOutput output, Version version)
                throws JsonQueryException {
            throw new JsonQueryException(signature + " is not available here");
        }
    }
}

package dev.millrace.scheduler.submission;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.core.graph.RunEnv;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.rpc.RequestFields;
import java.util.List;
import java.util.Optional;

/** Validates the environment of a run. */
final class EnvReader {
    private final FlowCatalog catalog;

    EnvReader(FlowCatalog catalog) {
        this.catalog = catalog;
    }

    /** The environment; empty if none is given, if it has no names, or, with a violation, if it is invalid. */
    Optional<Json> read(ByteString bytes, RunTarget target, String field, Violations violations) {
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        return switch (target) {
            case RunTarget.Job _ -> {
                violations.add(field, "can be given for a flow only: pass the values as input");
                yield Optional.empty();
            }
            case RunTarget.FlowRun(String hash) ->
                RequestFields.text(field, bytes, RunEnv.BYTES_MAX, violations)
                        .flatMap(text -> checked(new Json(text), hash, field, violations));
        };
    }

    private Optional<Json> checked(Json env, String flowHash, String field, Violations violations) {
        List<RunInput.Problem> problems =
                RunEnv.problems(catalog.model(flowHash).definition(), env);
        problems.forEach(problem -> violations.add(
                problem.path().isEmpty() ? field : field + "." + problem.path(),
                problem.message() + " " + problem.remedy()));
        return problems.isEmpty() && !JsonValue.of(env).members().isEmpty() ? Optional.of(env) : Optional.empty();
    }
}

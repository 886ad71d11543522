package dev.millrace.scheduler.submission;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.rpc.RequestFields;
import java.util.Optional;

/** Validates the input of a run: it must be a JSON object that meets the flow's inputs. */
final class InputReader {
    private final FlowCatalog catalog;
    private final int bytesMax;

    InputReader(FlowCatalog catalog, int bytesMax) {
        this.catalog = catalog;
        this.bytesMax = bytesMax;
    }

    /** The input, completed with a flow's defaults; empty, with a violation, if it is invalid. */
    Optional<Json> read(ByteString bytes, RunTarget target, String field, Violations violations) {
        if (bytes.isEmpty()) {
            return accept(Json.EMPTY_OBJECT, target, field, violations);
        }
        return RequestFields.text(field, bytes, bytesMax, violations)
                .flatMap(text -> accept(new Json(text), target, field, violations));
    }

    private Optional<Json> accept(Json input, RunTarget target, String field, Violations violations) {
        return switch (target) {
            case RunTarget.Job _ -> object(input, field, violations);
            case RunTarget.FlowRun flow -> flowInput(input, flow, field, violations);
        };
    }

    private static Optional<Json> object(Json input, String field, Violations violations) {
        Optional<String> problem = JsonText.problem(input.text());
        if (problem.isPresent()) {
            violations.add(field, "is not valid JSON: " + problem.get());
            return Optional.empty();
        }
        if (!input.text().stripLeading().startsWith("{")) {
            violations.add(field, "is not a JSON object: send an object whose keys are the parameters of main");
            return Optional.empty();
        }
        return Optional.of(input);
    }

    private Optional<Json> flowInput(Json input, RunTarget.FlowRun flow, String field, Violations violations) {
        return switch (catalog.inputs(flow.flowHash()).check(input)) {
            case RunInput.Accepted accepted -> Optional.of(accepted.input());
            case RunInput.Refused refused -> {
                refused.problems()
                        .forEach(problem -> violations.add(
                                problem.path().isEmpty() ? field : field + "." + problem.path(),
                                problem.message() + " " + problem.remedy()));
                yield Optional.empty();
            }
        };
    }
}

package dev.millrace.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.StatusProblems;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.rpc.ErrorStatus;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The OpenAPI document says how each code of the scheduler's errors comes about, with the status that callers get. */
class ProblemCodesTest {
    private static final Pattern ROW = Pattern.compile("(?m)^ +\\| `([a-z_]+)` \\| (\\d{3}) \\| [^|]{10,} \\|$");
    /** The answer to a range beyond the end has the status of HTTP for that. */
    private static final Map<String, Integer> OF_THE_GATEWAY = Map.of("blob_too_short", 416);

    @Test
    void theDocumentHasEachCodeWithItsStatus() throws IOException {
        Map<String, Integer> documented = documented();
        Map<String, Integer> given = new TreeMap<>();
        StatusProblems problems = new StatusProblems("localhost:7070");
        for (ErrorCode code : ErrorCode.values()) {
            Problem problem = problems.problem(ErrorStatus.of(new MillraceException(code, "Why.")));
            given.put(
                    problem.code(),
                    OF_THE_GATEWAY.getOrDefault(problem.code(), problem.status().code()));
        }

        assertThat(documented).containsAllEntriesOf(given);
    }

    private static Map<String, Integer> documented() throws IOException {
        try (InputStream document =
                requireNonNull(StatusProblems.class.getResourceAsStream("/dev/millrace/gateway/docs/openapi.yaml"))) {
            Matcher rows = ROW.matcher(new String(document.readAllBytes(), UTF_8));
            Map<String, Integer> codes = new TreeMap<>();
            while (rows.find()) {
                codes.put(rows.group(1), Integer.valueOf(rows.group(2)));
            }
            return codes;
        }
    }
}

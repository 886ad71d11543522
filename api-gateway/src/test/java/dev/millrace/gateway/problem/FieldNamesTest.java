package dev.millrace.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.Status;
import dev.millrace.gateway.problem.Problem.FieldError;
import io.grpc.protobuf.StatusProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields that the scheduler names in errors, and their names in requests of the REST API. */
class FieldNamesTest {
    private final StatusProblems problems = new StatusProblems("localhost:7070");

    @ParameterizedTest
    @CsvSource({
        // Runs.
        "spec.input, input",
        "spec.target.flow_path, target.flow",
        "specs[3].retry.delay, items[3].retry.delay",
        "specs[0].target.script_path, items[0].target.script",
        // Schedules.
        "path, path",
        "description, description",
        "run.run_after, run.run_after",
        "run.input, run.input",
        "run.target.handler, run.target.handler",
        "run.target.flow_path, run.target.flow",
        "settings, settings",
        "settings.timing.cron, cron",
        "settings.timing.cron[0], cron[0]",
        "settings.timing.every, every",
        "settings.timing.zone, zone",
        "settings.timing.exclude, exclude",
        "settings.timing.exclude[2], exclude[2]",
        "settings.timing.start, start",
        "settings.timing.end, end",
        "settings.overlap, overlap",
        "settings.catch_up, catch_up",
        "settings.jitter, jitter",
        "settings.time_input, time_input",
        "count, count",
        "after_time, after",
        "from_time, from",
        "to_time, to",
        "parallel_max, parallel",
        // Triggers.
        "event.types[1], event.types[1]",
        "webhook.secrets, webhook.secrets",
        "kafka.batch_wait, kafka.batch_wait",
        "mqtt.topics[0], mqtt.topics[0]",
        "postgres.interval, postgres.interval",
        // Alerts.
        "alert, alert",
        "alert.name, name",
        "alert.types, types",
        "alert.folder, folder",
        "alert.path, path",
        "alert.webhook, webhook",
        "alert.webhook.url, webhook.url",
        "alert.webhook.url_secret, webhook.url_secret",
        "alert.webhook.signing_secret, webhook.signing_secret",
        "alert.slack.url_secret, slack.url_secret",
        "alert.email.recipients, email.recipients",
        "alert.kafka.connection, kafka.connection",
        "delivery_id, id",
        // Events, whose position has the same name in both.
        "after_position, after_position"
    })
    void namesFieldsAsTheRestApiDoes(String field, String named) {
        String sentence = "The request is invalid: first: is wrong; " + field + ": of " + field + " (expected: b)";

        Problem problem = problems.problem(StatusProto.toStatusRuntimeException(Status.newBuilder()
                .setCode(io.grpc.Status.Code.INVALID_ARGUMENT.value())
                .setMessage(sentence)
                .addDetails(Any.pack(BadRequest.newBuilder()
                        .addFieldViolations(BadRequest.FieldViolation.newBuilder()
                                .setField(field)
                                .setDescription("of " + field + " (expected: b)"))
                        .build()))
                .build()));

        assertThat(problem.errors()).containsExactly(new FieldError(named, "of " + field + " (expected: b)"));
        assertThat(problem.detail())
                .isEqualTo("The request is invalid: first: is wrong; " + named + ": of " + field + " (expected: b)");
    }

    @Test
    void keepsSentencesWithoutViolations() {
        Problem problem = problems.problem(io.grpc.Status.NOT_FOUND
                .withDescription("There is no to_time: a.")
                .asRuntimeException());

        assertThat(problem.detail()).isEqualTo("There is no to_time: a.");
    }
}

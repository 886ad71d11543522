package dev.millrace.e2e.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.Signals;
import dev.millrace.proto.worker.v1.CancelJob;
import dev.millrace.proto.worker.v1.CancelJobs;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.Leases;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.Reconnect;
import dev.millrace.proto.worker.v1.ResolveSecretsResponse;
import dev.millrace.proto.worker.v1.ResolvedValue;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.proto.worker.v1.ResultAcks;
import dev.millrace.proto.worker.v1.Welcome;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One scenario that is played with one worker. */
final class Play {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long HEARTBEAT_MILLIS = 5_000;
    private static final long TTL_MILLIS = 60_000;
    private static final int BYTES_MAX = 1 << 20;
    /** Token of a lease for which the scenario names none. */
    private static final long FIRST_TOKEN = 1;

    private static final String RUN = "0192f0c1-0000-7000-8000-000000000001";

    private final ScriptedScheduler scheduler;
    private final Process worker;
    private final List<Event> seen = new ArrayList<>();

    /** Events that no step has expected so far. */
    private final List<Event> passedOver = new ArrayList<>();

    private final Map<String, Long> tokens = new HashMap<>();

    Play(ScriptedScheduler scheduler, Process worker) {
        this.scheduler = scheduler;
        this.worker = worker;
    }

    /** Plays the steps, and fails at the first that the worker does not meet. */
    void run(JsonNode steps) throws InterruptedException {
        for (JsonNode step : steps) {
            Map.Entry<String, JsonNode> only = step.properties().iterator().next();
            try {
                play(only.getKey(), only.getValue());
            } catch (AssertionError unmet) {
                throw new AssertionError("At the step " + step + ": " + unmet.getMessage(), unmet);
            }
        }
        List<Event> rest = scheduler.rest();
        rest.stream().filter(Event::mustBeExpected).findFirst().ifPresent(extra -> {
            throw new AssertionError("The worker has sent what the scenario does not expect: " + extra);
        });
    }

    private void play(String verb, JsonNode what) throws InterruptedException {
        switch (verb) {
            case "welcome" -> welcome(what);
            case "lease" -> lease(what);
            case "accept" -> acknowledge(what.asText(), ResultAck.Disposition.DISPOSITION_ACCEPTED);
            case "refuse" -> acknowledge(what.asText(), ResultAck.Disposition.DISPOSITION_REFUSED);
            case "cancel" -> cancel(what.asText());
            case "reconnect" ->
                scheduler.send(OpenSessionResponse.newBuilder().setReconnect(Reconnect.getDefaultInstance()));
            case "unknown" -> scheduler.send(OpenSessionResponse.newBuilder());
            case "break" ->
                scheduler.breakStream(
                        Status.fromCode(Status.Code.valueOf(what.path("status").asText("UNAVAILABLE"))));
            case "answer_heartbeats" -> scheduler.answerHeartbeats(what.asBoolean());
            case "acknowledge_logs" -> scheduler.acknowledgeLogs(what.asBoolean());
            case "secrets" -> secrets(what);
            case "open" -> scheduler.openGate();
            case "stop" -> Signals.send("TERM", worker.pid());
            case "ended" -> awaitEnd();
            case "expect" -> expect(what);
            default -> throw new AssertionError("The scenario has an unknown step.");
        }
    }

    private void welcome(JsonNode what) throws InterruptedException {
        if (seen.stream().noneMatch(event -> event.kind().equals("hello"))) {
            expect(Json.of(Map.of("hello", Map.of())));
        }
        String session = what.path("session").asText();
        scheduler.send(OpenSessionResponse.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setSessionId(session)
                        .setResumeToken("token of " + session)
                        .setResumed(what.path("resumed").asBoolean())
                        .setHeartbeatInterval(duration(what.path("heartbeat_ms").asLong(HEARTBEAT_MILLIS)))
                        .setSessionTtl(duration(what.path("ttl_ms").asLong(TTL_MILLIS)))
                        .setResultBytesMax(what.path("result_bytes_max").asInt(BYTES_MAX))
                        .setLogBytesMax(what.path("log_bytes_max").asLong(BYTES_MAX))));
    }

    private void lease(JsonNode what) {
        String job = what.path("job").asText();
        long token = what.path("token").asLong(FIRST_TOKEN);
        tokens.put(job, token);
        Lease.Builder lease = Lease.newBuilder()
                .setJobId(job)
                .setLeaseToken(token)
                .setSlotGroup("handlers")
                .setHandler(what.path("handler").asText())
                .setInput(ByteString.copyFromUtf8(
                        what.has("input") ? what.path("input").toString() : "{}"))
                .setAttempt(what.path("attempt").asInt(1))
                .setRunId(what.path("run").asText(RUN))
                .setStep(what.path("step").asText())
                .setWorkspace(what.path("workspace").asText("default"))
                .setGroupId(what.path("group").asText())
                .setAlone(what.path("alone").asBoolean())
                .setHasSecrets(what.path("has_secrets").asBoolean());
        if (what.has("timeout_ms")) {
            lease.setTimeout(duration(what.path("timeout_ms").asLong()));
        }
        scheduler.send(
                OpenSessionResponse.newBuilder().setLeases(Leases.newBuilder().addLeases(lease)));
    }

    private void acknowledge(String job, ResultAck.Disposition disposition) {
        scheduler.send(OpenSessionResponse.newBuilder()
                .setResultAcks(ResultAcks.newBuilder()
                        .addAcks(ResultAck.newBuilder()
                                .setJobId(job)
                                .setLeaseToken(token(job))
                                .setDisposition(disposition)
                                .setReason("The scenario says so."))));
    }

    private void cancel(String job) {
        scheduler.send(OpenSessionResponse.newBuilder()
                .setCancelJobs(CancelJobs.newBuilder()
                        .addJobs(CancelJob.newBuilder()
                                .setJobId(job)
                                .setLeaseToken(tokens.getOrDefault(job, FIRST_TOKEN))
                                .setReason("The scenario says so."))));
    }

    private long token(String job) {
        Long token = tokens.get(job);
        if (token == null) {
            throw new AssertionError("The scenario has leased no job " + job + ".");
        }
        return token;
    }

    private void secrets(JsonNode what) {
        ResolveSecretsResponse.Builder values = ResolveSecretsResponse.newBuilder();
        what.properties()
                .forEach(secret -> values.addValues(ResolvedValue.newBuilder()
                                .setPointer(secret.getKey())
                                .setValue(ByteString.copyFromUtf8(
                                        secret.getValue().toString())))
                        .addMasked(ByteString.copyFromUtf8(secret.getValue().asText())));
        scheduler.resolveTo(values.build());
    }

    private static com.google.protobuf.Duration duration(long millis) {
        Duration duration = Duration.ofMillis(millis);
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(duration.toSeconds())
                .setNanos(duration.toNanosPart())
                .build();
    }

    private void awaitEnd() throws InterruptedException {
        if (!worker.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("The worker still runs.");
        }
    }

    private void expect(JsonNode what) throws InterruptedException {
        Map.Entry<String, JsonNode> only = what.properties().iterator().next();
        if (only.getKey().equals("results")) {
            Map<String, JsonNode> values = new HashMap<>();
            only.getValue().properties().forEach(value -> values.put(value.getKey(), value.getValue()));
            expectInAnyOrder(values);
            return;
        }
        for (Event event : passedOver) {
            if (event.isLike(only.getKey(), only.getValue())) {
                passedOver.remove(event);
                return;
            }
        }
        Event event = next();
        while (!event.isLike(only.getKey(), only.getValue())) {
            passOver(event);
            event = next();
        }
    }

    private void expectInAnyOrder(Map<String, JsonNode> values) throws InterruptedException {
        while (!values.isEmpty()) {
            Event event = next();
            String job = event.fields().path("job").asText();
            if (event.kind().equals("result") && event.fields().path("value").equals(values.get(job))) {
                values.remove(job);
                acknowledge(job, ResultAck.Disposition.DISPOSITION_ACCEPTED);
            } else {
                passOver(event);
            }
        }
    }

    /** Keeps an event for a later step, unless it had to be expected here. */
    private void passOver(Event event) {
        if (event.mustBeExpected()) {
            throw new AssertionError("The worker has sent " + event + ", and before that " + seen);
        }
        passedOver.add(event);
    }

    private Event next() throws InterruptedException {
        Event event = scheduler.events().poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        if (event == null) {
            throw new AssertionError("The worker has not sent it. It has sent " + seen);
        }
        seen.add(event);
        return event;
    }
}

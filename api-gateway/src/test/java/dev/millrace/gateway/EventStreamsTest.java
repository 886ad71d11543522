package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.millrace.gateway.testing.FakeLogs;
import dev.millrace.gateway.testing.FakeRuns;
import dev.millrace.gateway.testing.FakeScheduler;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.gateway.testing.Refusals;
import dev.millrace.proto.log.v1.TailLogsResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.WatchRunResponse;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventStreamsTest extends GatewayTest {

    @BeforeEach
    void submit() {
        post("/api/v1/runs", "{\"target\":{\"script\":\"hello.py\"}}");
    }

    @Test
    void tellsEachChangeAndTheEnd() throws Exception {
        var response = CompletableFuture.supplyAsync(() -> open("/api/v1/runs/run-1/events?include_logs=true"));
        var watcher = taken(scheduler.runs.watchers);
        watcher.onNext(WatchRunResponse.newBuilder()
                .setRun(FakeRuns.RUN.toBuilder().setState(Run.State.STATE_RUNNING))
                .build());
        watcher.onNext(WatchRunResponse.newBuilder()
                .setStep(Step.newBuilder()
                        .setKey("split")
                        .setKind(Step.Kind.KIND_SCRIPT)
                        .setState(Step.State.STATE_SKIPPED))
                .build());
        watcher.onNext(WatchRunResponse.newBuilder().setLog(FakeLogs.CHUNK).build());
        watcher.onNext(WatchRunResponse.newBuilder()
                .setRun(FakeRuns.RUN.toBuilder().setOutput(ByteString.copyFromUtf8("{\n \"a\":\r\n1}")))
                .build());
        watcher.onCompleted();

        var events = response.get(60, TimeUnit.SECONDS);

        assertThat(events.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
        assertThat(new String(events.body().readAllBytes(), StandardCharsets.UTF_8))
                .containsSubsequence(
                        "event: run\ndata: {\"id\":\"run-1\"",
                        "\"state\":\"running\"",
                        "event: step\ndata: {",
                        "\"key\":\"split\"",
                        "\"state\":\"skipped\"",
                        "id: 42\nevent: log\ndata: {",
                        "\"text\":\"first\\nsecond ✓\"",
                        "event: run\ndata: {",
                        "\"output\":{\ndata:  \"a\": \ndata: 1}",
                        "event: end\ndata: {}\n\n");
    }

    @Test
    void goesOnBehindTheLastEventOfAReaderThatComesBack() throws Exception {
        var logs = open("/api/v1/runs/run-1/logs?follow=true", "Last-Event-ID", "42");
        taken(scheduler.logs.followers).onCompleted();
        logs.body().close();
        assertThat(scheduler.logs.lastTail.getAfterPosition()).isEqualTo(42);

        var events = CompletableFuture.supplyAsync(
                () -> open("/api/v1/runs/run-1/events?include_logs=true", "Last-Event-ID", "43"));
        taken(scheduler.runs.watchers).onCompleted();
        events.get(60, TimeUnit.SECONDS).body().close();
        assertThat(scheduler.runs.lastWatch.getLogsAfterPosition()).isEqualTo(43);
    }

    @Test
    void refusesAnIdThatNoEventHas() {
        problem(
                send(request("/api/v1/runs/run-1/events").header("Last-Event-ID", "nonsense")),
                400,
                "invalid_argument");
    }

    @Test
    void refusesPagesOfAStream() {
        var problem = problem(get("/api/v1/runs/run-1/logs?follow=true&page_size=5"), 400, "invalid_argument");

        assertThat(problem.path("errors").path(0).path("field").asText()).isEqualTo("page_size");
    }

    @Test
    void answersAnUnknownRunWithAProblem() {
        problem(get("/api/v1/runs/nope/events"), 404, "run_not_found");
        problem(get("/api/v1/runs/nope/logs?follow=true"), 404, "run_not_found");
    }

    @Test
    void tellsAFailureInTheMiddle() throws Exception {
        var response = CompletableFuture.supplyAsync(() -> get("/api/v1/runs/run-1/events"));
        var watcher = taken(scheduler.runs.watchers);
        watcher.onNext(WatchRunResponse.newBuilder().setRun(FakeRuns.RUN).build());
        watcher.onError(Refusals.of(Code.ABORTED, "DRAINING", "The scheduler stops."));

        assertThat(response.get(60, TimeUnit.SECONDS).body())
                .containsSubsequence("event: run", "event: error\ndata: {", "\"code\":\"draining\"")
                .doesNotContain("event: end");
    }

    @Test
    void followsLogsFromTheStartEvenWhereThereAreNone() throws Exception {
        try (var events = lines(open("/api/v1/runs/run-1/logs?follow=true&job_id=job-1"))) {
            var follower = taken(scheduler.logs.followers);
            follower.onNext(
                    TailLogsResponse.newBuilder().setChunk(FakeLogs.CHUNK).build());

            assertThat(events.readLine()).isEqualTo("id: 42");
            assertThat(events.readLine()).isEqualTo("event: log");
            assertThat(events.readLine()).contains("\"stream\":\"stderr\"", "\"sequence\":7");
            follower.onCompleted();
            assertThat(events.lines().toList()).contains("event: end");
        }
    }

    @Test
    void showsThatAQuietStreamIsAlive() throws Exception {
        restart(Map.of("millrace.gateway.keep-alive-interval", "20ms"));
        try (var events = lines(open("/api/v1/runs/run-1/logs?follow=true"))) {
            assertThat(events.readLine()).isEqualTo(": keep-alive");
        }
    }

    @Test
    void cancelsTheCallWhenTheReaderGoesAway() throws Exception {
        var response = open("/api/v1/runs/run-1/logs?follow=true");
        taken(scheduler.logs.followers);

        response.body().close();

        assertThat(scheduler.logs.canceled.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void holdsTheSchedulerBackForASlowReader() throws Exception {
        var response = open("/api/v1/runs/run-1/logs?follow=true");
        var follower = taken(scheduler.logs.followers);
        var chunk = TailLogsResponse.newBuilder()
                .setChunk(FakeLogs.CHUNK.toBuilder().setText("x".repeat(1_000_000)))
                .build();

        int sent = 0;
        boolean isReady = scheduler.logs.ready.tryAcquire(60, TimeUnit.SECONDS);
        // A gateway with an unbounded buffer would become ready again and again.
        while (isReady && sent < 1_000) {
            while (follower.isReady()) {
                follower.onNext(chunk);
                sent++;
            }
            isReady = scheduler.logs.ready.tryAcquire(500, TimeUnit.MILLISECONDS);
        }

        assertThat(sent).isBetween(1, 100);
        follower.onCompleted();
        assertThat(response.body().readAllBytes()).hasSizeGreaterThan(sent * 1_000_000);
    }

    @Test
    void keepsNoOtherCallsFromTheScheduler() {
        for (int stream = 0; stream < FakeScheduler.CALLS_PER_CONNECTION_MAX; stream++) {
            assertThat(open("/api/v1/runs/run-1/logs?follow=true").statusCode()).isEqualTo(200);
        }

        assertThat(get("/api/v1/runs/run-1/logs").statusCode()).isEqualTo(200);
    }

    @Test
    void keepsOnlySoManyStreamsOpen() {
        restart(Map.of("millrace.gateway.streams-max", "1"));
        var first = open("/api/v1/runs/run-1/logs?follow=true");
        assertThat(first.statusCode()).isEqualTo(200);

        problem(get("/api/v1/runs/run-1/logs?follow=true"), 503, "too_many_streams");
    }

    private static <T> ServerCallStreamObserver<T> taken(BlockingQueue<ServerCallStreamObserver<T>> opened)
            throws InterruptedException {
        var observer = opened.poll(60, TimeUnit.SECONDS);
        if (observer == null) {
            throw new AssertionError("No stream was opened.");
        }
        return observer;
    }

    private static BufferedReader lines(HttpResponse<InputStream> response) throws IOException {
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }
}

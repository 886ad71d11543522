package dev.millrace.client;

import static dev.millrace.client.FakeScheduler.reason;
import static dev.millrace.client.FakeScheduler.refusal;
import static dev.millrace.client.FakeScheduler.retryAfter;
import static dev.millrace.client.FakeScheduler.violation;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.certificate.Authority;
import dev.millrace.certificate.Certificate;
import dev.millrace.certificate.Validity;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.flow.v1.DeployFlowResponse;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.flow.v1.ValidateFlowResponse;
import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.RerunRunResponse;
import dev.millrace.proto.operation.v1.SkipStepResponse;
import dev.millrace.proto.operation.v1.StartBulkOperationResponse;
import dev.millrace.proto.run.v1.EarlyReturn;
import dev.millrace.proto.run.v1.GetRunResponse;
import dev.millrace.proto.run.v1.Iteration;
import dev.millrace.proto.run.v1.IterationCounts;
import dev.millrace.proto.run.v1.ListIterationsResponse;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListRunsResponse;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.ListStepsResponse;
import dev.millrace.proto.run.v1.Run.State;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunResponse;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.AnswerWaitResponse;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import io.grpc.Status.Code;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The client against a scheduler of the test: requests, answers, errors, retries and streams. */
final class MillraceClientTest {
    private static final String RUN_ID = "0192f0c1-0000-7000-8000-000000000001";
    private static final Retries QUICK =
            new Retries(4, Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(10));

    private final FakeScheduler scheduler = FakeScheduler.start();
    private final MillraceClient client =
            MillraceClient.builder().target(scheduler.target()).retries(QUICK).build(Map.of());

    record Order(String item, LocalDate due) {}

    record Invoice(int total, LocalDate due) {}

    @AfterEach
    void close() {
        client.close();
        scheduler.close();
    }

    @Test
    void submitsRecordsWithDatesAsTexts() {
        scheduler.on(RunServiceGrpc.getSubmitRunMethod(), submitted(State.STATE_QUEUED));

        Run run = client.submit(
                Target.flow("shop/order"),
                new Order("lamp", LocalDate.of(2026, 11, 25)),
                RunOptions.DEFAULT.withPriority(5).withEnv(Map.of("region", "eu")));

        SubmitRunRequest request = only(scheduler.requests(RunServiceGrpc.getSubmitRunMethod()));
        assertThat(run.state()).isEqualTo(RunState.QUEUED);
        assertThat(request.getSpec().getTarget().getFlowPath()).isEqualTo("shop/order");
        assertThat(request.getSpec().getInput().toStringUtf8()).isEqualTo("{\"item\":\"lamp\",\"due\":\"2026-11-25\"}");
        assertThat(request.getSpec().getPriority()).isEqualTo(5);
        assertThat(request.getSpec().getEnv().toStringUtf8()).isEqualTo("{\"region\":\"eu\"}");
        assertThat(request.hasWait()).isFalse();
    }

    @Test
    void aRepeatedSubmissionHasTheSameRequestId() {
        var lost = refusal(Code.UNAVAILABLE, "The scheduler is stopping.", reason("SHUTTING_DOWN"));
        scheduler.on(RunServiceGrpc.getSubmitRunMethod(), lost, lost, submitted(State.STATE_QUEUED));

        client.submit(Target.script("a.py"), null);
        client.submit(Target.script("a.py"), null);

        List<String> ids = scheduler.requests(RunServiceGrpc.getSubmitRunMethod()).stream()
                .map(SubmitRunRequest::getRequestId)
                .toList();
        assertThat(ids).hasSize(4).doesNotContain("");
        assertThat(ids.get(0)).isEqualTo(ids.get(1)).isEqualTo(ids.get(2)).isNotEqualTo(ids.get(3));
    }

    @Test
    void anErrorSaysWhatWhereAndWhatToDo() {
        scheduler.on(
                RunServiceGrpc.getSubmitRunMethod(),
                refusal(
                        Code.INVALID_ARGUMENT,
                        "The request is invalid: spec.priority: 5000",
                        reason("INVALID_REQUEST"),
                        violation("spec.priority", "5000 (expected: -1000 to 1000)")));

        var error = catchThrowableOfType(
                InvalidRequestException.class, () -> client.submit(Target.handler("resize"), null));

        assertThat(error)
                .hasMessage("SubmitRun at " + scheduler.target()
                        + ": The request is invalid: spec.priority: 5000. Correct the named fields.");
        assertThat(error.violations())
                .containsExactly(new Violation("spec.priority", "5000 (expected: -1000 to 1000)"));
        assertThat(error.reason()).isEqualTo("INVALID_REQUEST");
        assertThat(scheduler.requests(RunServiceGrpc.getSubmitRunMethod()))
                .as("such a call is not repeated")
                .hasSize(1);
    }

    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(Code.NOT_FOUND, "RUN_NOT_FOUND", NotFoundException.class),
                Arguments.of(Code.INVALID_ARGUMENT, "INVALID_FLOW", InvalidFlowException.class),
                Arguments.of(Code.UNAUTHENTICATED, "UNAUTHENTICATED", UnauthenticatedException.class),
                Arguments.of(Code.PERMISSION_DENIED, "PERMISSION_DENIED", PermissionDeniedException.class),
                Arguments.of(Code.ALREADY_EXISTS, "REQUEST_ID_REUSED", RequestIdReusedException.class),
                Arguments.of(Code.FAILED_PRECONDITION, "RUN_ENDED", StateUnsuitableException.class),
                Arguments.of(Code.RESOURCE_EXHAUSTED, "TOO_MANY", OverloadedException.class),
                Arguments.of(Code.INTERNAL, "BUG", ServerFailedException.class),
                Arguments.of(Code.UNIMPLEMENTED, "", ServerFailedException.class));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void eachKindOfErrorHasAClass(Code code, String word, Class<? extends ClientException> kind) {
        scheduler.on(RunServiceGrpc.getGetRunMethod(), refusal(code, "No.", reason(word)));

        assertThatThrownBy(() -> client.getRun(RUN_ID)).isExactlyInstanceOf(kind);
        assertThat(scheduler.requests(RunServiceGrpc.getGetRunMethod())).hasSize(1);
    }

    @Test
    void waitsAsLongAsTheSchedulerAsks() {
        var busy = refusal(
                Code.RESOURCE_EXHAUSTED,
                "The queue is full.",
                reason("OVERLOADED"),
                retryAfter(Duration.ofMillis(300)));
        scheduler.on(RunServiceGrpc.getSubmitRunMethod(), busy, submitted(State.STATE_QUEUED));

        long begin = System.nanoTime();
        client.submit(Target.script("a.py"), null);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void givesUpAtOnceIfTheDelayIsTooLong() {
        var busy = refusal(
                Code.RESOURCE_EXHAUSTED, "The queue is full.", reason("OVERLOADED"), retryAfter(Duration.ofMinutes(1)));
        scheduler.on(RunServiceGrpc.getSubmitRunMethod(), busy);

        var error = catchThrowableOfType(OverloadedException.class, () -> client.submit(Target.script("a.py"), null));

        assertThat(error.retryAfter()).contains(Duration.ofMinutes(1));
        assertThat(scheduler.requests(RunServiceGrpc.getSubmitRunMethod())).hasSize(1);
    }

    @Test
    void givesUpAfterTheLastAttempt() {
        scheduler.on(RunServiceGrpc.getGetRunMethod(), refusal(Code.UNAVAILABLE, "Gone."));

        assertThatThrownBy(() -> client.getRun(RUN_ID)).isInstanceOf(UnavailableException.class);
        assertThat(scheduler.requests(RunServiceGrpc.getGetRunMethod())).hasSize(QUICK.attemptsMax());
    }

    @Test
    void runReturnsTheOutputAsARecord() {
        scheduler.on(
                RunServiceGrpc.getSubmitRunMethod(),
                SubmitRunResponse.newBuilder()
                        .setRun(run(State.STATE_SUCCEEDED)
                                .setOutput(ByteString.copyFromUtf8(
                                        "{\"total\":7,\"due\":\"2026-11-25\",\"added\":\"later\"}")))
                        .build());

        assertThat(client.run(Target.flow("shop/invoice"), null, Invoice.class))
                .isEqualTo(new Invoice(7, LocalDate.of(2026, 11, 25)));
        assertThatThrownBy(() -> client.run(Target.flow("shop/invoice"), null, Integer.class))
                .isInstanceOf(ConversionException.class)
                .hasMessageContaining("The output does not fit java.lang.Integer");
    }

    @Test
    void runReturnsWhatTheFlowReturnsEarly() {
        scheduler.on(
                RunServiceGrpc.getSubmitRunMethod(),
                SubmitRunResponse.newBuilder()
                        .setRun(run(State.STATE_RUNNING))
                        .setEarlyReturn(EarlyReturn.newBuilder().setResult(ByteString.copyFromUtf8("\"soon\"")))
                        .build());

        assertThat(client.run(Target.flow("early"), null).textValue()).isEqualTo("soon");
    }

    @Test
    void runThrowsWhyARunHasFailed() {
        scheduler.on(
                RunServiceGrpc.getSubmitRunMethod(),
                SubmitRunResponse.newBuilder()
                        .setRun(run(State.STATE_FAILED)
                                .setError(JobError.newBuilder()
                                        .setName("ValueError")
                                        .setMessage("Too small.")))
                        .build(),
                SubmitRunResponse.newBuilder().setRun(run(State.STATE_CANCELED)).build());

        var failed = catchThrowableOfType(RunFailedException.class, () -> client.run(Target.script("a.py"), null));
        assertThat(failed).hasMessage("The run " + RUN_ID + " of a.py failed. ValueError: Too small.");
        assertThat(failed.run().error().orElseThrow().name()).isEqualTo("ValueError");
        assertThatThrownBy(() -> client.run(Target.script("a.py"), null)).isInstanceOf(RunCanceledException.class);
    }

    @Test
    void followsAcrossLostConnectionsWithoutRepeats() {
        WatchRunResponse running = event(run(State.STATE_RUNNING));
        scheduler.on(
                RunServiceGrpc.getWatchRunMethod(),
                List.of(running, log(1, "one"), refusal(Code.UNAVAILABLE, "Lost.")),
                List.of(running, log(2, "two")),
                List.of(running, log(2, "two"), event(run(State.STATE_SUCCEEDED))));

        List<String> events;
        try (Stream<RunEvent> stream = client.follow(RUN_ID)) {
            events = stream.map(MillraceClientTest::word).toList();
        }

        assertThat(events).containsExactly("RUNNING", "one", "two", "SUCCEEDED");
        assertThat(scheduler.requests(RunServiceGrpc.getWatchRunMethod()))
                .extracting(WatchRunRequest::getLogsAfterPosition)
                .containsExactly(0L, 1L, 2L);
    }

    @Test
    void foldsLargeLoopsWhenAskedAndWhileWaiting() {
        Step loop = Step.newBuilder()
                .setKey("each")
                .setKind(Step.Kind.KIND_FOR_EACH)
                .setState(Step.State.STATE_RUNNING)
                .setIterations(IterationCounts.newBuilder().setTotal(100).setFailed(1))
                .build();
        scheduler.on(
                RunServiceGrpc.getListStepsMethod(),
                ListStepsResponse.newBuilder().addSteps(loop).build());
        scheduler.on(
                RunServiceGrpc.getListIterationsMethod(),
                ListIterationsResponse.newBuilder()
                        .addIterations(Iteration.newBuilder().setNumber(7).setState(Step.State.STATE_FAILED))
                        .build());
        scheduler.on(RunServiceGrpc.getWatchRunMethod(), List.of(event(run(State.STATE_SUCCEEDED))));
        scheduler.on(
                RunServiceGrpc.getGetRunMethod(),
                GetRunResponse.newBuilder().setRun(run(State.STATE_SUCCEEDED)).build());

        var step = client.steps(RUN_ID, StepFilter.FOLDED).findFirst().orElseThrow();
        var failed = client.iterations(RUN_ID, "each", Set.of(StepState.FAILED), 5);

        assertThat(step.iterations().map(counts -> List.of(counts.total(), counts.failed())))
                .contains(List.of(100, 1));
        assertThat(failed).extracting(one -> one.number()).containsExactly(7);
        client.wait(RUN_ID);
        assertThat(scheduler.requests(RunServiceGrpc.getListStepsMethod()))
                .extracting(ListStepsRequest::getFoldLoops)
                .containsExactly(true);
        assertThat(scheduler.requests(RunServiceGrpc.getWatchRunMethod()))
                .extracting(WatchRunRequest::getFoldLoops)
                .containsExactly(true);
    }

    @Test
    void aWaitEndsInTime() {
        scheduler.on(
                RunServiceGrpc.getWatchRunMethod(),
                List.of(event(run(State.STATE_RUNNING)), FakeScheduler.Silence.SILENCE));

        assertThatThrownBy(() -> client.wait(RUN_ID, Duration.ofMillis(200)))
                .isInstanceOf(TimedOutException.class)
                .hasMessageContaining("The run has not ended within 0.2 s. It goes on.");
        assertThat(client.async().wait(RUN_ID, Duration.ofMillis(200)))
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(TimedOutException.class);
    }

    @Test
    void aStreamThatIsLeftEndsItsCall() {
        scheduler.on(
                RunServiceGrpc.getWatchRunMethod(),
                List.of(event(run(State.STATE_RUNNING)), FakeScheduler.Silence.SILENCE));

        try (Stream<RunEvent> events = client.follow(RUN_ID)) {
            assertThat(events.findFirst().map(MillraceClientTest::word)).contains("RUNNING");
        }
        assertThat(scheduler.requests(RunServiceGrpc.getWatchRunMethod())).hasSize(1);
    }

    @Test
    void anInterruptEndsACall() throws InterruptedException {
        CountDownLatch isWatching = new CountDownLatch(1);
        scheduler.on(
                RunServiceGrpc.getWatchRunMethod(),
                List.of(event(run(State.STATE_RUNNING)), FakeScheduler.Silence.SILENCE));
        List<Object> ended = new ArrayList<>();
        Thread caller = new Thread(() -> {
            try (Stream<RunEvent> events = client.follow(RUN_ID)) {
                events.forEach(event -> isWatching.countDown());
            } catch (CallInterruptedException interrupted) {
                ended.add(Thread.currentThread().isInterrupted());
            }
        });
        caller.start();
        assertThat(isWatching.await(60, TimeUnit.SECONDS)).isTrue();

        caller.interrupt();
        caller.join(TimeUnit.SECONDS.toMillis(10));

        assertThat(ended).containsExactly(true);
    }

    @Test
    void readsAllPagesAsTheyAreNeeded() {
        scheduler.on(
                RunServiceGrpc.getListRunsMethod(),
                ListRunsResponse.newBuilder()
                        .addRuns(run(State.STATE_FAILED))
                        .setNextPageToken("next")
                        .build(),
                ListRunsResponse.newBuilder().addRuns(run(State.STATE_FAILED)).build());
        RunFilter filter =
                RunFilter.ALL.withName("a.py").withStates(RunState.FAILED).withInput("n=4");

        assertThat(client.search(filter.withKind(RunKind.PREPARATION).withTag("gpu"))
                        .findFirst())
                .isPresent();
        ListRunsRequest first =
                scheduler.requests(RunServiceGrpc.getListRunsMethod()).get(0);
        assertThat(first.getKind()).isEqualTo(ListRunsRequest.Kind.KIND_PREPARATION);
        assertThat(first.getTag()).isEqualTo("gpu");
        assertThat(scheduler.requests(RunServiceGrpc.getListRunsMethod())).hasSize(1);
        scheduler.on(
                RunServiceGrpc.getListRunsMethod(),
                ListRunsResponse.newBuilder()
                        .addRuns(run(State.STATE_FAILED))
                        .setNextPageToken("next")
                        .build(),
                ListRunsResponse.newBuilder().addRuns(run(State.STATE_FAILED)).build());
        List<Run> consumed = new ArrayList<>();
        client.async().search(filter, consumed::add).join();

        assertThat(consumed).hasSize(2);
        assertThat(scheduler.requests(RunServiceGrpc.getListRunsMethod()))
                .extracting(ListRunsRequest::getPageToken)
                .containsExactly("", "", "next");
    }

    @Test
    void operationsAndAnswersCarryRequestIds() {
        scheduler.on(
                OperationServiceGrpc.getSkipStepMethod(),
                SkipStepResponse.newBuilder().setRun(run(State.STATE_RUNNING)).build());
        scheduler.on(
                SignalServiceGrpc.getAnswerWaitMethod(),
                AnswerWaitResponse.newBuilder().setStep("boss").build());

        client.skip(RUN_ID, "count", Map.of("n", 1), Note.by("ada").withReason("known"));
        String step = client.approve(RUN_ID, "", null, Note.by("ada").withRequestId("answer-1"));

        var skip = only(scheduler.requests(OperationServiceGrpc.getSkipStepMethod()));
        assertThat(skip.getNote().getRequestId()).isNotEmpty();
        assertThat(skip.getNote().getActor()).isEqualTo("ada");
        assertThat(skip.getResult().toStringUtf8()).isEqualTo("{\"n\":1}");
        var answer = only(scheduler.requests(SignalServiceGrpc.getAnswerWaitMethod()));
        assertThat(answer.getAnswer()).isEqualTo(AnswerWaitRequest.Answer.ANSWER_APPROVE);
        assertThat(answer.getRequestId()).isEqualTo("answer-1");
        assertThat(answer.getPayload().toStringUtf8()).isEqualTo("null");
        assertThat(step).isEqualTo("boss");
    }

    @Test
    void aRerunMayTakeAnotherVersionAndAnotherInputOfItsStep() {
        scheduler.on(
                OperationServiceGrpc.getRerunRunMethod(),
                RerunRunResponse.newBuilder().setRun(run(State.STATE_QUEUED)).build());

        client.rerun(
                RUN_ID, Rerun.from("mail").withFlowHash("ab12").withStepInput(Map.of("to", "ada")), Note.by("ada"));

        var rerun = only(scheduler.requests(OperationServiceGrpc.getRerunRunMethod()));
        assertThat(rerun.getStep()).isEqualTo("mail");
        assertThat(rerun.getFlowHash()).isEqualTo("ab12");
        assertThat(rerun.getStepInput().toStringUtf8()).isEqualTo("{\"to\":\"ada\"}");
        assertThat(rerun.getInput().isEmpty()).isTrue();
    }

    @Test
    void manyRunsRerunWithAnotherVersionAndAnotherInputOfTheStep() {
        var answer = StartBulkOperationResponse.newBuilder()
                .setBulkOperation(dev.millrace.proto.operation.v1.BulkOperation.newBuilder()
                        .setId("b1")
                        .setTotal(2))
                .build();
        scheduler.on(BulkOperationServiceGrpc.getStartBulkOperationMethod(), answer);

        BulkOperation started = client.rerunAll(
                RunSelection.ofFlow("shop/pay")
                        .withStates(RunState.FAILED)
                        .withInput("customer.id=7")
                        .withOutput("note~late")
                        .withTag("gpu"),
                Rerun.from("mail").withFlowHash("ab12").withStepInput(Map.of("to", "ada")),
                Note.by("ada"));

        assertThat(started.id()).isEqualTo("b1");
        assertThat(started.total()).isEqualTo(2);
        assertThat(started.endTime()).isEmpty();
        var sent = only(scheduler.requests(BulkOperationServiceGrpc.getStartBulkOperationMethod()));
        assertThat(sent.getStep()).isEqualTo("mail");
        assertThat(sent.getFlowHash()).isEqualTo("ab12");
        assertThat(sent.getStepInput().toStringUtf8()).isEqualTo("{\"to\":\"ada\"}");
        assertThat(sent.getFilter().getFlowPath()).isEqualTo("shop/pay");
        assertThat(sent.getFilter().getStatesList()).containsExactly(State.STATE_FAILED);
        assertThat(sent.getFilter().getInputList()).containsExactly("customer.id=7");
        assertThat(sent.getFilter().getOutputList()).containsExactly("note~late");
        assertThat(sent.getFilter().getTag()).isEqualTo("gpu");
        assertThat(RunSelection.all().withName("pay.py").request().getFilter().getName())
                .isEqualTo("pay.py");
        assertThat(sent.getNote().getRequestId()).isNotEmpty();
    }

    @Test
    void deploysAFlowWithTheScriptsBesideIt(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("count.py"), "def main(): ...");
        Files.writeString(folder.resolve("flow.yaml"), "millrace: v1");
        scheduler.on(
                FlowServiceGrpc.getValidateFlowMethod(),
                ValidateFlowResponse.newBuilder()
                        .addScriptPaths("count.py")
                        .addScriptPaths("elsewhere.py")
                        .build(),
                ValidateFlowResponse.newBuilder().addScriptPaths("../secret").build());
        scheduler.on(FlowServiceGrpc.getDeployFlowMethod(), DeployFlowResponse.getDefaultInstance());

        client.deploy(folder.resolve("flow.yaml"));

        var request = only(scheduler.requests(FlowServiceGrpc.getDeployFlowMethod()));
        assertThat(request.getFilesList()).extracting(it -> it.getPath()).containsExactly("count.py");
        Files.writeString(folder.resolveSibling("secret"), "s");
        assertThatThrownBy(() -> client.deploy(folder.resolve("flow.yaml")))
                .hasMessageContaining("lies outside the flow's folder");
    }

    @Test
    void readsTheTokenAgainOnceItIsRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "old\n");
        scheduler.on(
                RunServiceGrpc.getGetRunMethod(),
                refusal(Code.UNAUTHENTICATED, "Unknown token.", reason("UNAUTHENTICATED")),
                GetRunResponse.newBuilder().setRun(run(State.STATE_RUNNING)).build());
        try (MillraceClient withToken = MillraceClient.builder()
                .target(scheduler.target())
                .tokenFile(file)
                .build(Map.of())) {
            Files.writeString(file, "new\n");

            withToken.getRun(RUN_ID);
        }

        assertThat(scheduler.tokens()).containsExactly("Bearer old", "Bearer new");
    }

    @Test
    void trustsTheAuthorityOfItsFileOnly(@TempDir Path folder) throws IOException {
        Validity day = Validity.ofNext(Duration.ofDays(1));
        Authority authority = Authority.create("of the test", day);
        Certificate certificate = authority.issueForServer(List.of("localhost"), day);
        Path trusted = Files.writeString(
                folder.resolve("ca.pem"), authority.certificate().certificatePem());
        Path other = Files.writeString(
                folder.resolve("other.pem"),
                Authority.create("of somebody else", day).certificate().certificatePem());
        try (FakeScheduler secure = FakeScheduler.start(TlsServerCredentials.create(
                new ByteArrayInputStream(certificate.certificatePem().getBytes(UTF_8)),
                new ByteArrayInputStream(certificate.keyPem().getBytes(UTF_8))))) {
            secure.on(
                    RunServiceGrpc.getGetRunMethod(),
                    GetRunResponse.newBuilder().setRun(run(State.STATE_RUNNING)).build());

            assertThat(stateOf(secure, trusted)).isEqualTo(RunState.RUNNING);
            assertThatThrownBy(() -> stateOf(secure, other)).isInstanceOf(UnavailableException.class);
        }
        assertThatThrownBy(() -> stateOf(scheduler, Files.writeString(folder.resolve("none.pem"), "none")))
                .isInstanceOf(AccessException.class);
    }

    private static RunState stateOf(FakeScheduler scheduler, Path caFile) {
        try (MillraceClient client = MillraceClient.builder()
                .target(scheduler.target())
                .caFile(caFile)
                .token("secret")
                .retries(Retries.NONE)
                .build(Map.of())) {
            return client.getRun(RUN_ID).state();
        }
    }

    @Test
    void theAsyncClientDoesTheSame() {
        var lost = refusal(Code.UNAVAILABLE, "The scheduler is stopping.");
        WatchRunResponse running = event(run(State.STATE_RUNNING));
        scheduler.on(RunServiceGrpc.getSubmitRunMethod(), lost, submitted(State.STATE_RUNNING));
        scheduler.on(
                RunServiceGrpc.getWatchRunMethod(),
                List.of(running, lost),
                List.of(running, event(run(State.STATE_SUCCEEDED))));
        scheduler.on(
                RunServiceGrpc.getGetRunMethod(),
                GetRunResponse.newBuilder()
                        .setRun(run(State.STATE_SUCCEEDED).setOutput(ByteString.copyFromUtf8("42")))
                        .build(),
                refusal(Code.NOT_FOUND, "There is no such run.", reason("RUN_NOT_FOUND")));

        assertThat(client.async()
                        .run(Target.script("a.py"), null, Integer.class)
                        .join())
                .isEqualTo(42);
        assertThatThrownBy(() -> client.async().getRun(RUN_ID).join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NotFoundException.class);
    }

    @Test
    void aFailureOfAConsumerEndsTheCall() {
        scheduler.on(
                RunServiceGrpc.getWatchRunMethod(),
                List.of(event(run(State.STATE_RUNNING)), FakeScheduler.Silence.SILENCE));

        var following = client.async().follow(RUN_ID, event -> {
            throw new IllegalStateException("Enough.");
        });

        assertThat(following)
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aClosedClientRepeatsNothing() {
        client.close();

        assertThatThrownBy(() -> client.getRun(RUN_ID)).isInstanceOf(UnavailableException.class);
    }

    private static String word(RunEvent event) {
        return event instanceof LogChunk log
                ? log.text()
                : event instanceof Run run ? run.state().name() : "step";
    }

    private static <T> T only(List<T> all) {
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static dev.millrace.proto.run.v1.Run.Builder run(State state) {
        return dev.millrace.proto.run.v1.Run.newBuilder()
                .setId(RUN_ID)
                .setWorkspace("default")
                .setName("a.py")
                .setState(state);
    }

    private static SubmitRunResponse submitted(State state) {
        return SubmitRunResponse.newBuilder().setRun(run(state)).build();
    }

    private static WatchRunResponse event(dev.millrace.proto.run.v1.Run.Builder run) {
        return WatchRunResponse.newBuilder().setRun(run).build();
    }

    private static WatchRunResponse log(long position, String text) {
        return WatchRunResponse.newBuilder()
                .setLog(dev.millrace.proto.log.v1.LogChunk.newBuilder()
                        .setPosition(position)
                        .setText(text)
                        .setStream(dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_STDOUT))
                .build();
    }
}

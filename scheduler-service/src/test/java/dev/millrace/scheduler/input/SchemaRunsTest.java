package dev.millrace.scheduler.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.operation.v1.BulkOperationRun;
import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.ListBulkOperationRunsRequest;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.RunFilter;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListRunsRequest.Kind;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.DeployScriptResponse;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.InputSchema.Origin;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.KeepInputSchemaRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A deployment starts a run that reads the signature; from then on, inputs that do not fit are refused. */
class SchemaRunsTest {
    private static final List<Run.State> LIVE = List.of(Run.State.STATE_QUEUED, Run.State.STATE_RUNNING);

    private static final RunningScheduler SCHEDULER = new RunningScheduler();
    private static final HandlerWorker WORKER = new HandlerWorker(SCHEDULER.channel(), SchemaRuns.tag(Language.PYTHON));
    private static final String SCHEMA =
            "{\"properties\": {\"day\": {\"type\": \"string\"}}, \"additionalProperties\": false}";

    @AfterAll
    static void stop() {
        WORKER.close();
        SCHEDULER.close();
    }

    @Test
    void inputsAreCheckedOnceAWorkerHasReadTheSignature() throws InterruptedException {
        DeployScriptResponse deployed = deploy("shop/one.py", "def main(day: str): return 1\n", "");
        submit("shop/one.py", "{\"day\": 3}");

        Lease lease = WORKER.take();
        assertThat(lease.getRunId()).isEqualTo(deployed.getSchemaRunId());
        assertThat(keep(lease, SCHEMA)).isTrue();
        assertThat(keep(lease, "{}")).as("another worker was faster").isFalse();
        WORKER.succeed(lease, "{}");

        assertThat(SCHEDULER.scripts().getScript(get("shop/one.py")).getInputSchema())
                .satisfies(
                        schema -> assertThat(schema.getSchema().toStringUtf8()).isEqualTo(SCHEMA))
                .satisfies(schema -> assertThat(schema.getOrigin()).isEqualTo(Origin.ORIGIN_SIGNATURE));
        submit("shop/one.py", "{\"day\": \"monday\"}");
        assertThatThrownBy(() -> submit("shop/one.py", "{\"day\": 3}"))
                .hasMessageContaining("The parameter \"day\" is 3 (expected: a string). Change it.");
        assertThat(deploy("team/one.py", "def main(day: str): return 1\n", "").getSchemaRunId())
                .as("the version is known")
                .isEmpty();
    }

    @Test
    void listsShowWhatDeploymentsStartOnWish() {
        String run = deploy("shop/listed.ts", "export function main(day: string) {}\n//11\n", "")
                .getSchemaRunId();

        assertThat(listed(Kind.KIND_UNSPECIFIED)).doesNotContain(run);
        assertThat(listed(Kind.KIND_ALL)).contains(run);
        assertThat(listed(Kind.KIND_PREPARATION)).contains(run);
    }

    @Test
    void operationsOnManyRunsDoToo() {
        String run = deploy("shop/many.ts", "export function main(day: string) {}\n//12\n", "")
                .getSchemaRunId();

        assertThat(selected(Kind.KIND_UNSPECIFIED)).doesNotContain(run);
        assertThat(selected(Kind.KIND_ALL)).contains(run);
        assertThat(selected(Kind.KIND_PREPARATION)).contains(run);
    }

    /** The runs that an operation selects which changes none of them, since none is paused. */
    private static List<String> selected(Kind kind) {
        var bulks = BulkOperationServiceGrpc.newBlockingStub(SCHEDULER.channel());
        String operation = bulks.startBulkOperation(StartBulkOperationRequest.newBuilder()
                        .setOperation(OperationKind.OPERATION_KIND_RESUME)
                        .setFilter(RunFilter.newBuilder().setKind(kind).addAllStates(LIVE))
                        .build())
                .getBulkOperation()
                .getId();
        return bulks
                .listBulkOperationRuns(ListBulkOperationRunsRequest.newBuilder()
                        .setBulkOperationId(operation)
                        .setPageSize(1_000)
                        .build())
                .getRunsList()
                .stream()
                .map(BulkOperationRun::getRunId)
                .toList();
    }

    private static List<String> listed(Kind kind) {
        return SCHEDULER
                .runs()
                .listRuns(ListRunsRequest.newBuilder().setKind(kind).build())
                .getRunsList()
                .stream()
                .map(Run::getId)
                .toList();
    }

    @Test
    void theAuthorsSchemaCountsUntilADeploymentWithoutIt() throws InterruptedException {
        String source = "def main(day): return 2\n";
        assertThat(deploy("shop/two.py", source, SCHEMA).getSchemaRunId()).isEmpty();
        assertThat(SCHEDULER
                        .scripts()
                        .getScript(get("shop/two.py"))
                        .getInputSchema()
                        .getOrigin())
                .isEqualTo(Origin.ORIGIN_AUTHOR);
        assertThatThrownBy(() -> submit("shop/two.py", "{\"dew\": 3}"))
                .hasMessageContaining("The input has the key \"dew\", which main does not take: main takes day.");

        assertThat(deploy("shop/two.py", source, "").getSchemaRunId()).isNotEmpty();
        submit("shop/two.py", "{\"dew\": 3}");
        WORKER.succeed(WORKER.take(), "{}");
    }

    @Test
    void noSchemaIsKeptThatIsNone() throws InterruptedException {
        assertThatThrownBy(() -> deploy("shop/three.py", "def main(a): return 3\n", "{\"type\": 3}"))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("It breaks the rules of JSON Schema 2020-12");
        deploy("shop/four.py", "def main(a): return 4\n", "");
        Lease lease = WORKER.take();
        assertThatThrownBy(() -> keep(lease, "[" + "1,".repeat(40_000) + "1]"))
                .hasMessageContaining("80003 characters");
        Lease forged =
                lease.toBuilder().setLeaseToken(lease.getLeaseToken() + 1).build();
        assertThatThrownBy(() -> keep(forged, "{}")).hasMessageContaining("lease");
        WORKER.succeed(lease, "{}");
    }

    @Test
    void theRunThatPreparesTypeScriptReadsItsSignature() {
        String source = "export function main(day: string) {}\n";

        DeployScriptResponse deployed = deploy("shop/seven.ts", source, "");

        assertThat(deployed.getSchemaRunId()).isNotEmpty().isEqualTo(deployed.getPackageRunId());
        DeployScriptResponse unchecked = deploy("shop/eight.ts", "// millrace: check=off\n" + source, "");
        assertThat(unchecked.getPackageRunId()).isEmpty();
        assertThat(unchecked.getSchemaRunId()).isNotEmpty();
        assertThat(deploy("shop/nine.js", "export function main(day) {}\n", "").getSchemaRunId())
                .as("JavaScript declares no types")
                .isEmpty();
    }

    @Test
    void whatTheTextDeclaresIsCheckedAtOnceAndTheAuthorsSchemaComesFirst() {
        String source = "name=\"$1\"\n";
        assertThat(deploy("shop/ten.sh", source, SCHEMA).getSchemaRunId()).isEmpty();
        submit("shop/ten.sh", "{\"day\": \"monday\"}");

        deploy("shop/ten.sh", source, "");

        assertThat(SCHEDULER
                        .scripts()
                        .getScript(get("shop/ten.sh"))
                        .getInputSchema()
                        .getOrigin())
                .isEqualTo(Origin.ORIGIN_DECLARATION);
        submit("shop/ten.sh", "{\"name\": 3}");
        assertThatThrownBy(() -> submit("shop/ten.sh", "{\"nam\": 3}"))
                .hasMessageContaining("The input lacks the key \"name\": the script takes name. Add it.");
    }

    @Test
    void noRunReadsWhatTakesNothing() {
        assertThat(deploy("shop/five.ts", "// millrace: check=off\nexport function main() {}\n", "")
                        .getSchemaRunId())
                .isEmpty();
        assertThat(deploy("shop/six.sh", "echo main(a)\n", "").getSchemaRunId()).isEmpty();
    }

    @Test
    void eachScriptInPythonIsReadBecausePythonMayNotUnderstandIt() throws InterruptedException {
        String run = deploy("shop/lib.py", "def of(:\n", "").getSchemaRunId();

        Lease lease = WORKER.take();
        assertThat(lease.getRunId()).isEqualTo(run);
        WORKER.succeed(lease, "{}");
    }

    @Test
    void theScriptsOfAFlowAreReadOnceEvenIfTheyAreDeployedToo() throws InterruptedException {
        DeployFlowRequest flow = DeployFlowRequest.newBuilder()
                .setDefinition(
                        ByteString.copyFromUtf8(
                                "millrace: v1\nname: shop/read\nsteps: [{id: a, script: read.py}, {id: b, script: alone.py}]\n"))
                .addFiles(file("read.py", "def main(a): return 'read'\n"))
                .addFiles(file("alone.py", "def main(a): return 'alone'\n"))
                .build();
        String deployed =
                deploy("shop/read.py", "def main(a): return 'read'\n", "").getSchemaRunId();
        WORKER.succeed(WORKER.take(), "{}");

        List<String> runs = SCHEDULER.flows().deployFlow(flow).getPreparationRunIdsList();

        Lease lease = WORKER.take();
        WORKER.succeed(lease, "{}");
        assertThat(runs).containsExactly(lease.getRunId()).doesNotContain(deployed);
    }

    private static FlowFile file(String path, String content) {
        return FlowFile.newBuilder()
                .setPath(path)
                .setContent(ByteString.copyFromUtf8(content))
                .build();
    }

    private static DeployScriptResponse deploy(String path, String source, String schema) {
        return SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath(path)
                        .setContent(ByteString.copyFromUtf8(source))
                        .setInputSchema(ByteString.copyFromUtf8(schema))
                        .build());
    }

    private static GetScriptRequest get(String path) {
        return GetScriptRequest.newBuilder().setPath(path).build();
    }

    private static void submit(String path, String input) {
        var _ = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setScriptPath(path))
                                .setInput(ByteString.copyFromUtf8(input)))
                        .build());
    }

    private static boolean keep(Lease lease, String schema) {
        return JobApiServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .keepInputSchema(KeepInputSchemaRequest.newBuilder()
                        .setJobId(lease.getJobId())
                        .setLeaseToken(lease.getLeaseToken())
                        .setSchema(ByteString.copyFromUtf8(schema))
                        .build())
                .getKept();
    }
}

package dev.millrace.scheduler.packages;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.DeployFlowResponse;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.script.v1.ChosenPackage;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.DeployScriptResponse;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.PackageLock;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.KeepPackageLockRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A deployment starts a run that chooses the packages of the script. */
class PackageRunsTest {
    private static final RunningScheduler SCHEDULER = new RunningScheduler();
    private static final HandlerWorker WORKER =
            new HandlerWorker(SCHEDULER.channel(), PackageRuns.tag(Language.PYTHON));

    @AfterAll
    static void stop() {
        WORKER.close();
        SCHEDULER.close();
    }

    @Test
    void aDeployedScriptGetsItsPackagesBeforeItsFirstJob() throws InterruptedException {
        String source = "import requests\ndef main(): return 1\n";
        DeployScriptResponse deployed = deploy("shop/one.py", source, false);

        Lease lease = WORKER.take();
        assertThat(lease.getRunId()).isEqualTo(deployed.getPackageRunId());
        assertThat(lease.getScriptHash()).isEqualTo(deployed.getScript().getHash());
        keep(lease);
        WORKER.succeed(lease, "{}");

        assertThat(locks("shop/one.py"))
                .singleElement()
                .satisfies(lock -> assertThat(lock.getInterpreter()).isEqualTo("python3.12"))
                .satisfies(lock -> assertThat(lock.getInferredList()).containsExactly("requests"))
                .satisfies(lock -> assertThat(lock.getPackagesList())
                        .containsExactly(ChosenPackage.newBuilder()
                                .setName("requests")
                                .setVersion("2.32.0")
                                .build()));
        assertThat(run(deployed).getName()).isEqualTo("shop/one.py (packages)");
        assertThat(deploy("copies/one.py", source, false).getPackageRunId()).isEmpty();
    }

    @Test
    void nothingIsChosenForWhatNeedsNoPackagesOrIsOnlyStored() {
        assertThat(deploy("shop/two.py", "import json\ndef main(): return 2\n", false)
                        .getPackageRunId())
                .isEmpty();
        assertThat(deploy("shop/three.js", "import { x } from './npm.ts'; const y = 'npm:y';\n", false)
                        .getPackageRunId())
                .isEmpty();
        assertThat(deploy("shop/four.py", "import flask\ndef main(): return 4\n", true)
                        .getPackageRunId())
                .isEmpty();
        assertThat(locks("shop/two.py")).isEmpty();
    }

    @Test
    void typesAreCheckedEachTimeTypeScriptIsDeployed() throws InterruptedException {
        String source = "export const main = (n: number) => n;\n";

        try (var worker = new HandlerWorker(SCHEDULER.channel(), PackageRuns.tag(Language.DENO))) {
            for (int i = 0; i < 2; i++) {
                DeployScriptResponse deployed = deploy("shop/five.ts", source, false);
                Lease lease = worker.take();
                worker.succeed(lease, "{}");
                assertThat(lease.getRunId()).isEqualTo(deployed.getPackageRunId());
                assertThat(run(deployed).getName()).isEqualTo("shop/five.ts (types)");
            }
        }
        assertThat(deploy("shop/six.ts", "// millrace: memory=1GiB check=off\n" + source, false)
                        .getPackageRunId())
                .isEmpty();
        assertThat(deploy("shop/six.ts", source, true).getPackageRunId()).isEmpty();
    }

    @Test
    void theScriptsOfAFlowArePreparedInBothLanguages() throws InterruptedException {
        String flow = """
                {millrace: v1, name: shop/both, steps: [{id: a, script: a.py}, {id: b, script: b.ts}, {id: c, script: c.js}]}
                """;
        DeployFlowRequest request = DeployFlowRequest.newBuilder()
                .setDefinition(ByteString.copyFromUtf8(flow))
                .addFiles(file("a.py", "import flask\ndef main(): return 1\n"))
                .addFiles(file("b.ts", "export const main = (n: string) => n;\n"))
                .addFiles(file("c.js", "export const main = (n) => n;\n"))
                .build();

        try (var worker = new HandlerWorker(SCHEDULER.channel(), PackageRuns.tag(Language.DENO))) {
            DeployFlowResponse deployed = SCHEDULER.flows().deployFlow(request);
            Lease types = worker.take();
            worker.succeed(types, "{}");
            Lease packages = WORKER.take();
            WORKER.succeed(packages, "{}");

            assertThat(deployed.getPreparationRunIdsList())
                    .as("with the run that reads the signature of a.py")
                    .hasSize(3)
                    .contains(types.getRunId(), packages.getRunId());
            assertThat(name(types.getRunId())).isEqualTo("shop/both (types)");
            assertThat(name(packages.getRunId())).isEqualTo("shop/both (packages)");
        }
        assertThat(SCHEDULER
                        .flows()
                        .deployFlow(request.toBuilder().setStoreOnly(true).build())
                        .getPreparationRunIdsList())
                .isEmpty();
    }

    private static FlowFile file(String path, String content) {
        return FlowFile.newBuilder()
                .setPath(path)
                .setContent(ByteString.copyFromUtf8(content))
                .build();
    }

    private static String name(String run) {
        return SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(run).build())
                .getRun()
                .getName();
    }

    private static DeployScriptResponse deploy(String path, String source, boolean storeOnly) {
        return SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath(path)
                        .setContent(ByteString.copyFromUtf8(source))
                        .setStoreOnly(storeOnly)
                        .build());
    }

    private static void keep(Lease lease) {
        var _ = JobApiServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .keepPackageLock(KeepPackageLockRequest.newBuilder()
                        .setJobId(lease.getJobId())
                        .setLeaseToken(lease.getLeaseToken())
                        .setInterpreter("python3.12")
                        .setLock("requests==2.32.0 \\\n    --hash=sha256:1234\n")
                        .addInferred("requests")
                        .build());
    }

    private static List<PackageLock> locks(String path) {
        return SCHEDULER
                .scripts()
                .getScript(GetScriptRequest.newBuilder().setPath(path).build())
                .getPackageLocksList();
    }

    private static Run run(DeployScriptResponse deployed) {
        return SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder()
                        .setRunId(deployed.getPackageRunId())
                        .build())
                .getRun();
    }
}

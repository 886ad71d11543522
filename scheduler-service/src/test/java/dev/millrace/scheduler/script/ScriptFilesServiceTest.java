package dev.millrace.scheduler.script;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.ListScriptsRequest;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.script.v1.ScriptFile;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.RunningScheduler;
import dev.millrace.text.script.ScriptFiles;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Versions of scripts that consist of several files. */
class ScriptFilesServiceTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final Database DATABASE = SCHEDULER.open();
    private static final int RACES = 20;

    @Test
    void keepsTheFilesOfAVersion() {
        Script first = deploy("files/load.py", "import helper", Map.of("files/helper.py", "1"));
        Script second = deploy("files/load.py", "import helper", Map.of("files/helper.py", "2"));

        assertThat(paths(first)).containsExactly("files/helper.py");
        assertThat(texts(byHash(first.getHash()))).isEqualTo(Map.of("files/helper.py", "1"));
        assertThat(texts(byHash(second.getHash()))).isEqualTo(Map.of("files/helper.py", "2"));
        assertThat(deploy("files/load.py", "import helper", Map.of("files/helper.py", "1"))
                        .getHash())
                .isEqualTo(first.getHash());
        assertThat(SCHEDULER
                        .scripts()
                        .listScripts(ListScriptsRequest.getDefaultInstance())
                        .getScriptsList())
                .filteredOn(script -> script.getPath().equals("files/load.py"))
                .allMatch(script -> script.getFilesCount() == 0);
    }

    @Test
    void keepsATextOnceForAllVersions() {
        String text = "shared by many: " + "x".repeat(1_000);
        for (int version = 0; version < 10; version++) {
            deploy("once/load.py", "import helper # " + version, Map.of("once/helper.py", text, "once/same.py", text));
        }

        long kept = DATABASE.run(sql -> sql.fetchSingle("select count(*) from file_content where content = ?", text)
                .get(0, Long.class));
        assertThat(kept).isEqualTo(1);
    }

    @Test
    void takesDeployedScriptsAsTheyAreAtTheDeployment() {
        deploy("shared/text.py", "from .deep import x\ny = 1", Map.of("shared/deep.py", "x = 1"));
        Script first = deploy("take/load.py", "from ..shared.text import y\nfrom ..shared import gone", Map.of());
        deploy("shared/text.py", "y = 2", Map.of());
        Script second = deploy("take/load.py", "from ..shared.text import y\nfrom ..shared import gone", Map.of());

        assertThat(texts(byHash(first.getHash())))
                .isEqualTo(Map.of("shared/text.py", "from .deep import x\ny = 1", "shared/deep.py", "x = 1"));
        assertThat(texts(byHash(second.getHash()))).isEqualTo(Map.of("shared/text.py", "y = 2"));
    }

    @Test
    void takesNoScriptOfAnotherWorkspace() {
        deploy("foreign/text.py", "x = 1", Map.of());
        var _ = WorkspaceServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .createWorkspace(
                        CreateWorkspaceRequest.newBuilder().setName("elsewhere").build());
        Script script = SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setWorkspace("elsewhere")
                        .setPath("load.py")
                        .setContent(ByteString.copyFromUtf8("from .foreign.text import x"))
                        .build())
                .getScript();

        assertThat(script.getFilesList()).isEmpty();
    }

    @Test
    void givesEachScriptOfAFlowTheFilesThatItImports() {
        deploy("flowlib/text.py", "z = 1", Map.of());
        Map<String, String> files = Map.of(
                "a.py", "import helper",
                "b.py", "from .flowlib.text import z",
                "c.py", "",
                "helper.py", "from lib import text",
                "lib/text.py", "");
        DeployFlowRequest.Builder flow = DeployFlowRequest.newBuilder()
                .setDefinition(
                        ByteString.copyFromUtf8(
                                "millrace: v1\nname: many\nsteps: [{id: a, script: a.py}, {id: b, script: b.py}, {id: c, script: c.py}]"));
        files.forEach((path, text) ->
                flow.addFiles(FlowFile.newBuilder().setPath(path).setContent(ByteString.copyFromUtf8(text))));

        String hash = SCHEDULER.flows().deployFlow(flow.build()).getFlow().getHash();

        assertThat(paths(scriptOf(hash, "a.py"))).containsExactly("helper.py", "lib/text.py");
        assertThat(paths(scriptOf(hash, "b.py"))).containsExactly("flowlib/text.py");
        assertThat(paths(scriptOf(hash, "c.py"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "../helper.py, names of letters",
        "/etc/passwd, names of letters",
        "bad/./helper.py, names of letters",
        "bad/he lper.py, names of letters",
        "bad/h\u00e9lper.py, names of letters",
        "bad/LOAD.py, differs from it in case only",
        "bad/load.py, has the path of another file",
        "bad/load.py/x.py, is a file and a folder",
        "BAD/Load.py/x.py, is a file and a folder",
        "bad/millrace.py, Millrace's own module",
        "millrace/__init__.py, Millrace's own module",
    })
    void refusesFilesThatWorkersCannotKeep(String path, String why) {
        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class, () -> deploy("bad/load.py", "import x", Map.of(path, "")));

        assertThat(reason(refused)).isEqualTo("INVALID_REQUEST");
        assertThat(refused).hasMessageContaining(why);
    }

    @Test
    void refusesMoreThanTheLimitsAllow() {
        Map<String, String> many = new HashMap<>();
        IntStream.rangeClosed(0, ScriptFiles.COUNT_MAX).forEach(i -> many.put("limit/m" + i + ".py", ""));
        Map<String, String> large = Map.of("limit/a.py", "x".repeat(600_000), "limit/b.py", "x".repeat(600_000));

        for (Map<String, String> files : List.of(many, large)) {
            assertThat(reason(catchThrowableOfType(
                            StatusRuntimeException.class, () -> deploy("limit/load.py", "", files))))
                    .isEqualTo("INVALID_REQUEST");
        }
    }

    @Test
    void refusesToCollectMoreFromDeployedScriptsThanTheLimitsAllow() {
        deploy("heavy/a.py", "#" + "a".repeat(700_000), Map.of());
        deploy("heavy/b.py", "#" + "b".repeat(700_000), Map.of());

        assertThat(catchThrowableOfType(
                        StatusRuntimeException.class, () -> deploy("heavy/load.py", "from . import a, b", Map.of())))
                .hasMessageContaining("in the script and its files");
    }

    /** Deployments that share texts lock them in one order, so that none of them fails. */
    @Test
    void deploysVersionsThatShareTextsAtTheSameTime() {
        for (int race = 0; race < RACES; race++) {
            CyclicBarrier start = new CyclicBarrier(2);
            List<CompletableFuture<Script>> deployed = new ArrayList<>();
            for (int one = 0; one < 2; one++) {
                String path = "race/load" + one + ".py";
                Map<String, String> files = new HashMap<>();
                for (int i = 0; i < 20; i++) {
                    files.put("race/m" + (one == 0 ? i : 19 - i) + ".py", "race " + race + " text " + i);
                }
                deployed.add(CompletableFuture.supplyAsync(() -> {
                    try {
                        start.await();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    return deploy(path, "", files);
                }));
            }
            deployed.forEach(script -> assertThat(script.join().getFilesCount()).isEqualTo(20));
        }
    }

    private static Script deploy(String path, String content, Map<String, String> files) {
        DeployScriptRequest.Builder request =
                DeployScriptRequest.newBuilder().setPath(path).setContent(ByteString.copyFromUtf8(content));
        files.forEach((file, text) ->
                request.addFiles(ScriptFile.newBuilder().setPath(file).setContent(ByteString.copyFromUtf8(text))));
        return SCHEDULER.scripts().deployScript(request.build()).getScript();
    }

    private static Script byHash(String hash) {
        return SCHEDULER
                .scripts()
                .getScript(GetScriptRequest.newBuilder().setHash(hash).build())
                .getScript();
    }

    private static Script scriptOf(String flow, String path) {
        return byHash(DATABASE.run(
                sql -> sql.fetchSingle("select scripts -> ? ->> 'hash' from flow where hash = ?", path, flow)
                        .get(0, String.class)));
    }

    private static List<String> paths(Script script) {
        return script.getFilesList().stream().map(ScriptFile::getPath).toList();
    }

    private static Map<String, String> texts(Script script) {
        Map<String, String> texts = new HashMap<>();
        script.getFilesList()
                .forEach(file -> texts.put(file.getPath(), file.getContent().toStringUtf8()));
        return texts;
    }
}

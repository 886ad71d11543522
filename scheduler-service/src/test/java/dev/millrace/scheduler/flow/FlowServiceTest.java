package dev.millrace.scheduler.flow;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.ConvertFlowRequest;
import dev.millrace.proto.flow.v1.ConvertFlowResponse;
import dev.millrace.proto.flow.v1.DeclaredTrigger;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.DeployFlowResponse;
import dev.millrace.proto.flow.v1.Flow;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.FlowProblem;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.flow.v1.ListFlowsRequest;
import dev.millrace.proto.flow.v1.PlanFlowRequest;
import dev.millrace.proto.flow.v1.PlanFlowResponse;
import dev.millrace.proto.flow.v1.ValidateFlowRequest;
import dev.millrace.proto.flow.v1.ValidateFlowResponse;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.ListStepsResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.script.ScriptHash;
import dev.millrace.scheduler.script.ScriptSource;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FlowServiceTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final String COUNT = """
            millrace: v1
            name: count
            inputs:
              words: {type: array}
              factor: {type: integer, default: 1}
            steps:
              - id: lengths
                for_each: ${{ inputs.words }}
                parallelism: 2
                handler: length
                input: {word: "${{ item }}", factor: "${{ inputs.factor }}"}
              - id: total
                handler: sum
                input: {lengths: "${{ steps.lengths.result }}"}
            """;
    private static final String ONE_SCRIPT = """
            millrace: v1
            name: one
            steps:
              - id: only
                script: only.py
            """;

    @Test
    void tellsWhichScriptsADefinitionNames() {
        ValidateFlowResponse found = validate(ONE_SCRIPT);

        assertThat(found.getProblemsList()).singleElement().satisfies(problem -> {
            assertThat(problem.getMessage()).contains("only.py is neither among the files");
            assertThat(problem.getPath() + " " + problem.getLine() + ":" + problem.getColumn())
                    .isEqualTo("steps[0].script 5:13");
        });
        assertThat(found.getScriptPathsList()).containsExactly("only.py");
        assertThat(found.getDialect()).isEqualTo("millrace");
    }

    @Test
    void saysWhereAndWhatIsWrong() {
        ValidateFlowResponse found = validate(ONE_SCRIPT.replace("script:", "skript:"));

        assertThat(found.getProblemsList()).anySatisfy(problem -> {
            assertThat(problem.getLine()).isEqualTo(5);
            assertThat(problem.getMessage()).contains("skript");
            assertThat(problem.getRemedy()).isNotEmpty();
        });
        assertThat(violatedFields(failure(() -> deploy(ONE_SCRIPT.replace("script:", "skript:")))))
                .isNotEmpty();
    }

    @Test
    void tellsWhatADeploymentWouldChangeAndStoresNothing() {
        String first = """
                millrace: v1
                name: planned
                schedules:
                  nightly: {cron: '0 3 * * *'}
                steps:
                  - id: only
                    script: planned.py
                """;
        PlanFlowResponse fresh = plan(first, "planned.py", "def main(): ...");
        assertThat(fresh.hasCurrent()).isFalse();
        assertThat(fresh.getFlow().getPath()).isEqualTo("planned");
        assertThat(fresh.getTriggersList())
                .singleElement()
                .satisfies(trigger -> assertThat(trigger.getChange()).isEqualTo(DeclaredTrigger.Change.CHANGE_CREATED));
        String rows = """
                select (select count(*) from trigger where path like 'planned/%')
                     + (select count(*) from flow_path where path = 'planned')
                     + (select count(*) from script where hash = '$hash')
                """.replace("$hash", fresh.getFlow().getScripts(0).getHash());
        long left = SCHEDULER.open().run(dsl -> dsl.fetchSingle(rows).into(long.class));
        assertThat(left).as("rows that were left").isZero();

        Flow deployed = deploy(first, "planned.py", "def main(): ...");
        assertThat(deployed.getHash()).isEqualTo(fresh.getFlow().getHash());
        PlanFlowResponse same = plan(first, "planned.py", "def main(): ...");
        assertThat(same.getCurrent().getHash()).isEqualTo(same.getFlow().getHash());
        assertThat(same.getTriggersList()).isEmpty();

        PlanFlowResponse other = plan(first.replace("0 3", "0 4"), "planned.py", "def main(): return 1");
        assertThat(other.getCurrent().getDefinition().toStringUtf8()).isEqualTo(first);
        assertThat(other.getCurrent().getScripts(0).getHash())
                .isNotEqualTo(other.getFlow().getScripts(0).getHash());
        assertThat(other.getTriggersList())
                .singleElement()
                .satisfies(trigger -> assertThat(trigger.getChange()).isEqualTo(DeclaredTrigger.Change.CHANGE_UPDATED));
        assertThat(plan(ONE_SCRIPT.replace("name: one", "name: planned"), "only.py", "")
                        .getTriggersList())
                .singleElement()
                .satisfies(trigger -> assertThat(trigger.getChange()).isEqualTo(DeclaredTrigger.Change.CHANGE_DELETED));
        assertThat(plan(first, "planned.py", "def main(): ...").getTriggersList())
                .isEmpty();

        assertThat(violatedFields(failure(() -> plan(first.replace("0 3", "0 99"), "planned.py", ""))))
                .isEqualTo(violatedFields(failure(() -> deploy(first.replace("0 3", "0 99"), "planned.py", ""))));
    }

    private static PlanFlowResponse plan(String definition, String... files) {
        DeployFlowRequest asked = deployment(definition, files).build();
        return SCHEDULER
                .flows()
                .planFlow(PlanFlowRequest.newBuilder()
                        .setFileName(asked.getFileName())
                        .setDefinition(asked.getDefinition())
                        .addAllFiles(asked.getFilesList())
                        .build());
    }

    /**
     * Each warning would list all 900 steps. Uncut, the response to the deployment would exceed the size limit of a
     * message.
     */
    @Test
    void cutsWarningsThatListMuchSoThatTheyFitIntoTheAnswer() {
        StringBuilder modules = new StringBuilder("modules:\n");
        for (int i = 0; i < 900; i++) {
            modules.append("  - {id: ").append("x".repeat(90)).append(i).append(", value: {type: identity}}\n");
        }
        for (int i = 0; i < 90; i++) {
            modules.append("  - {id: r").append(i).append(", value: {type: script, path: a.py, input_transforms: ");
            modules.append("{x: {type: javascript, expr: results.nobody")
                    .append(i)
                    .append("}}}}\n");
        }

        DeployFlowResponse deployed = SCHEDULER
                .flows()
                .deployFlow(deployment(modules.toString(), "a.py", "def main(x): ...")
                        .build());

        assertThat(deployed.getWarningsList()).hasSize(90).allSatisfy(warning -> {
            assertThat(warning.getMessage()).endsWith("its result is null.");
            assertThat(warning.getRemedy()).endsWith("…");
        });
    }

    @Test
    void convertsAFlowAndHandsOutTheScriptsInsideIt() {
        ConvertFlowResponse converted = convert("""
                summary: inline
                value:
                  modules:
                    - id: a
                      value: {type: rawscript, language: python3, content: "def main(): return 1", input_transforms: {}}
                """);

        assertThat(converted.getDialect()).isEqualTo("openflow");
        assertThat(converted.getDefinition().toStringUtf8()).startsWith("millrace: v1\n");
        assertThat(converted.getScripts(0).getContent().toStringUtf8()).isEqualTo("def main(): return 1");
        assertThat(convert(converted.getDefinition().toStringUtf8()).getDefinition())
                .isEqualTo(converted.getDefinition());
        assertThat(violatedFields(failure(() -> convert("tasks: [{id: 1st, actionName: a.py}]"))))
                .containsExactly("definition");
    }

    @Test
    void scriptsForWindmillsBunRunThereIfTheyImportPackagesAlsoFromFilesBesideTheFlow() {
        String packages = "import ms from 'ms';\nexport const main = () => ms(1);\n";
        String plain = "import * as wmill from 'windmill-client';\nexport const main = () => wmill;\n";
        String importing = "import './c.ts';\n" + packages;
        deploy(
                "summary: exported\nvalue:\n  modules:\n"
                        + Stream.of("a.ts", "lib/b.ts", "d.ts")
                                .map(FlowServiceTest::moduleInFile)
                                .collect(Collectors.joining()),
                "a.ts",
                packages,
                "lib/b.ts",
                importing,
                "lib/c.ts",
                plain,
                "d.ts",
                plain);

        assertThat(List.of(
                        storedLanguage("a.ts", new ScriptSource(Language.BUN, packages)),
                        storedLanguage(
                                "lib/b.ts", new ScriptSource(Language.BUN, importing, Map.of("lib/c.ts", plain))),
                        storedLanguage("d.ts", new ScriptSource(Language.DENO, plain))))
                .containsExactly("bun", "bun", "deno");
    }

    @Test
    void aConversionNamesFilesForWindmillsBunSoThatTheyStayThere() {
        String packages = "import ms from 'ms';\nexport const main = () => ms(1);\n";
        ConvertFlowResponse converted = SCHEDULER
                .flows()
                .convertFlow(ConvertFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8("summary: exported\nvalue:\n  modules:\n"
                                + moduleInFile("lib/a.ts")
                                + moduleInFile("b.ts")
                                + moduleInFile("c.bun.ts")))
                        .addFiles(FlowProtos.file("lib/a.ts", packages))
                        .addFiles(FlowProtos.file("b.ts", "export const main = () => 1;\n"))
                        .addFiles(FlowProtos.file("c.bun.ts", packages))
                        .build());

        assertThat(converted.getDefinition().toStringUtf8())
                .contains("script: lib/a.bun.ts", "script: b.ts", "script: c.bun.ts");
        assertThat(converted.getScriptsList()).containsExactly(FlowProtos.file("lib/a.bun.ts", packages));
    }

    private static String moduleInFile(String file) {
        return "    - {id: " + file.replaceAll("\\W", "_")
                + ", value: {type: rawscript, language: bun, content: '!inline " + file + "', input_transforms: {}}}\n";
    }

    private static String storedLanguage(String path, ScriptSource source) {
        return SCHEDULER
                .scripts()
                .getScript(GetScriptRequest.newBuilder()
                        .setHash(ScriptHash.of(path, source))
                        .build())
                .getScript()
                .getLanguageName();
    }

    @Test
    void saysWhatIsLostInAConversion() {
        ConvertFlowResponse converted = convert("""
                summary: warned
                dedicated_worker: true
                value:
                  modules:
                    - id: a
                      value: {type: identity}
                """);

        assertThat(converted.getWarningsList()).extracting(FlowProblem::getPath).containsExactly("dedicated_worker");
    }

    @Test
    void refusesAFlowWithoutItsScripts() {
        StatusRuntimeException refused = failure(() -> deploy(ONE_SCRIPT));

        assertThat(reason(refused)).isEqualTo("INVALID_FLOW");
        assertThat(refused).hasMessageContaining("The script only.py is neither among the files");
    }

    @Test
    void keepsVersionsByContent() {
        Flow first = deploy(ONE_SCRIPT, "only.py", "def main(): return 1");
        Flow second = deploy(ONE_SCRIPT, "only.py", "def main(): return 2");
        Flow again = deploy(ONE_SCRIPT, "only.py", "def main(): return 1");

        assertThat(second.getHash()).isNotEqualTo(first.getHash());
        assertThat(again.getHash()).isEqualTo(first.getHash());
        Flow current = SCHEDULER
                .flows()
                .getFlow(GetFlowRequest.newBuilder().setPath("one").build())
                .getFlow();
        assertThat(current.getHash()).isEqualTo(first.getHash());
        assertThat(current.getDefinition().toStringUtf8()).isEqualTo(ONE_SCRIPT);
        assertThat(SCHEDULER
                        .flows()
                        .listFlows(ListFlowsRequest.getDefaultInstance())
                        .getFlowsList())
                .extracting(Flow::getPath)
                .contains("one");
    }

    @Test
    void keepsTheCronOfAFastflowDefinitionAndSaysThatNothingStartsTheFlow() {
        String definition = "{id: nightly, cron: '0 3 * * *', tasks: [{id: a, actionName: work}]}";
        DeployFlowResponse deployed = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build());

        assertThat(deployed.getWarningsList())
                .singleElement()
                .satisfies(warning -> assertThat(warning.getMessage()).contains("cron \"0 3 * * *\" is kept"));
        assertThat(SCHEDULER
                        .flows()
                        .getFlow(GetFlowRequest.newBuilder().setPath("nightly").build())
                        .getFlow()
                        .getDefinition()
                        .toStringUtf8())
                .isEqualTo(definition);
    }

    @Test
    void storesAVersionWithoutDeployingIt() {
        Flow deployed = deploy(ONE_SCRIPT, "only.py", "def main(): return 'deployed'");

        Flow stored = SCHEDULER
                .flows()
                .deployFlow(deployment(ONE_SCRIPT, "only.py", "def main(): return 'stored'")
                        .setStoreOnly(true)
                        .build())
                .getFlow();

        assertThat(stored.getHash()).isNotEqualTo(deployed.getHash());
        assertThat(SCHEDULER
                        .flows()
                        .getFlow(GetFlowRequest.newBuilder().setPath("one").build())
                        .getFlow()
                        .getHash())
                .isEqualTo(deployed.getHash());
        assertThat(SCHEDULER
                        .flows()
                        .getFlow(GetFlowRequest.newBuilder()
                                .setHash(stored.getHash())
                                .build())
                        .getFlow()
                        .getDefinition())
                .isEqualTo(ByteString.copyFromUtf8(ONE_SCRIPT));
    }

    @Test
    void refusesInputsThatTheFlowDoesNotTake() {
        deploy(COUNT);

        assertThat(violatedFields(failure(() -> submit("count", "{\"words\": 1, \"wordz\": []}"))))
                .containsExactly("spec.input.words", "spec.input.wordz");
        assertThat(violatedFields(failure(() -> submit("count", "{}")))).containsExactly("spec.input.words");
    }

    @Test
    void showsEveryStepOfARun() throws InterruptedException {
        deploy(COUNT);
        try (HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "handler:length", "handler:sum")) {
            Run run = submit("count", "{\"words\": [\"a\", \"bb\", \"ccc\"]}");
            Iterator<WatchRunResponse> watch = SCHEDULER
                    .runs()
                    .watchRun(WatchRunRequest.newBuilder().setRunId(run.getId()).build());
            assertThat(run.getInput().toStringUtf8()).contains("\"factor\":1");
            assertThat(openSteps(run)).containsEntry("lengths", Step.State.STATE_RUNNING);
            for (int word = 0; word < 3; word++) {
                worker.succeed(worker.take(), String.valueOf(word + 1));
            }
            worker.succeed(worker.take(), "6");

            List<WatchRunResponse> events = new ArrayList<>();
            watch.forEachRemaining(events::add);
            assertThat(events.getLast().getRun().getOutput().toStringUtf8()).isEqualTo("6");
            Map<String, Step.State> last = new LinkedHashMap<>();
            events.stream()
                    .filter(WatchRunResponse::hasStep)
                    .map(WatchRunResponse::getStep)
                    .forEach(step -> last.put(step.getKey(), step.getState()));
            assertThat(last)
                    .containsOnlyKeys("lengths", "lengths[0]", "lengths[1]", "lengths[2]", "total")
                    .allSatisfy((key, state) -> assertThat(state).isEqualTo(Step.State.STATE_SUCCEEDED));
            assertThat(pagesOfSteps(run, 2)).hasSize(5).allSatisfy(step -> {
                assertThat(step.getState()).isEqualTo(Step.State.STATE_SUCCEEDED);
                assertThat(step.getJobId())
                        .isIn(events.stream()
                                .map(event -> event.getStep().getJobId())
                                .toList());
            });
        }
    }

    private static Map<String, Step.State> openSteps(Run run) {
        Map<String, Step.State> states = new LinkedHashMap<>();
        pagesOfSteps(run, 1).forEach(step -> states.put(step.getKey(), step.getState()));
        return states;
    }

    private static List<Step> pagesOfSteps(Run run, int pageSize) {
        List<Step> steps = new ArrayList<>();
        String token = "";
        do {
            ListStepsResponse page = SCHEDULER
                    .runs()
                    .listSteps(ListStepsRequest.newBuilder()
                            .setRunId(run.getId())
                            .setPageSize(pageSize)
                            .setPageToken(token)
                            .setIncludePayloads(true)
                            .build());
            steps.addAll(page.getStepsList());
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return steps;
    }

    private static Run submit(String path, String input) {
        RunSpec spec = RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setFlowPath(path))
                .setInput(ByteString.copyFromUtf8(input))
                .build();
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder().setSpec(spec).build())
                .getRun();
    }

    private static ValidateFlowResponse validate(String definition) {
        return SCHEDULER
                .flows()
                .validateFlow(ValidateFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build());
    }

    private static ConvertFlowResponse convert(String definition) {
        return SCHEDULER
                .flows()
                .convertFlow(ConvertFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build());
    }

    private static Flow deploy(String definition, String... files) {
        return SCHEDULER
                .flows()
                .deployFlow(deployment(definition, files).build())
                .getFlow();
    }

    private static DeployFlowRequest.Builder deployment(String definition, String... files) {
        DeployFlowRequest.Builder request = DeployFlowRequest.newBuilder()
                .setFileName("flow.yaml")
                .setDefinition(ByteString.copyFromUtf8(definition));
        for (int index = 0; index < files.length; index += 2) {
            request.addFiles(
                    FlowFile.newBuilder().setPath(files[index]).setContent(ByteString.copyFromUtf8(files[index + 1])));
        }
        return request;
    }

    private static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}

package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import org.junit.jupiter.api.Test;

class LoopTest {
    private static WorkflowRun loop(String keys, String input) {
        return WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [{"name": "l", "taskReferenceName": "l", "type": "DO_WHILE", %s, "loopOver": [
                  {"name": "t", "taskReferenceName": "t", "inputParameters": {
                    "item": "${l.output.loopItem}", "index": "${l.output.loopIndex}", "n": "${l.output.iteration}"}}]}],
                 "outputParameters": {"n": "${l.output.iteration}", "last": "${t.output.v}"}}
                """.formatted(keys), input);
    }

    @Test
    void iteratesOverItemsWhileItsConditionHolds() {
        WorkflowRun run = loop(
                "\"items\": \"${workflow.input.list}\", \"loopCondition\": \"$.t.v != 'stop'\"",
                "{\"list\": [5, 6, 7]}");
        assertThat(run.input("l[0].t")).isEqualTo("{\"item\":5,\"index\":0,\"n\":1}");
        run.succeed("l[0].t", "{\"v\": \"go\"}");
        assertThat(run.input("l[1].t")).isEqualTo("{\"item\":6,\"index\":1,\"n\":2}");
        run.succeed("l[1].t", "{\"v\": \"stop\"}");
        assertThat(run.output()).isEqualTo("{\"n\":2,\"last\":\"stop\"}");
    }

    @Test
    void endsWithItsItemsHoweverItsConditionHolds() {
        WorkflowRun run =
                loop("\"items\": \"${workflow.input.list}\", \"loopCondition\": \"true\"", "{\"list\": [5, 6]}");
        run.succeed("l[0].t", "{\"v\": 1}").succeed("l[1].t", "{\"v\": 2}");
        assertThat(run.output()).isEqualTo("{\"n\":2,\"last\":2}");
    }

    @Test
    void letsItsConditionSeeTheItem() {
        String condition = "$.loopItem < $.most && $.loopIndex == $.l.loopIndex && $.l.loopItem == $.loopItem";
        WorkflowRun run = loop(
                "\"items\": \"${workflow.input.list}\", \"inputParameters\": {\"most\": \"${workflow.input.most}\","
                        + " \"l\": \"${l.output}\"}, \"loopCondition\": \"" + condition + "\"",
                "{\"list\": [5, 6, 7], \"most\": 6}");
        run.succeed("l[0].t", "{}").succeed("l[1].t", "{}");
        assertThat(run.output()).isEqualTo("{\"n\":2,\"last\":null}");
    }

    @Test
    void iteratesOverTheParameterOfOrkes() {
        WorkflowRun run = loop(
                "\"inputParameters\": {\"_items\": \"${workflow.input.list}\"}, \"loopCondition\": \"true\"",
                "{\"list\": [5]}");
        assertThat(run.succeed("l[0].t", "{}").output()).isEqualTo("{\"n\":1,\"last\":null}");
    }

    @Test
    void takesAParameterThatIsNamedItemsForAParameter() {
        WorkflowRun run = loop(
                "\"inputParameters\": {\"items\": [1, 2]}, \"loopCondition\": \"$.l.iteration < $.items.length\"",
                "{}");
        assertThat(run.input("l[0].t")).isEqualTo("{\"item\":null,\"index\":null,\"n\":1}");
        run.succeed("l[0].t", "{}").succeed("l[1].t", "{\"v\": 3}");
        assertThat(run.output()).isEqualTo("{\"n\":2,\"last\":3}");
    }

    @Test
    void iteratesOverASingleValue() {
        assertThat(loop("\"items\": \"${workflow.input.none}\"", "{}").output()).isEqualTo("{\"n\":0,\"last\":null}");
        assertThat(loop("\"items\": \"${workflow.input.one}\"", "{\"one\": {\"a\": 1}}")
                        .input("l[0].t"))
                .isEqualTo("{\"item\":{\"a\": 1},\"index\":0,\"n\":1}");
    }

    @Test
    void continuesForTrueAndForNumbersAboveZeroOnly() {
        String condition = "\"inputParameters\": {\"c\": \"${workflow.input.c}\"}, \"loopCondition\": \"$.c\"";
        for (String value : new String[] {"true", "1", "0.5"}) {
            WorkflowRun run = loop(condition, "{\"c\": " + value + "}");
            assertThat(run.succeed("l[0].t", "{}").live()).as(value).containsExactly("l[1].t");
        }
        for (String ends : new String[] {"false", "0", "-1", "\"true\"", "{}", "null"}) {
            WorkflowRun run = loop(condition, "{\"c\": " + ends + "}");
            assertThat(run.succeed("l[0].t", "{}").ended()).as(ends).isTrue();
        }
    }
}

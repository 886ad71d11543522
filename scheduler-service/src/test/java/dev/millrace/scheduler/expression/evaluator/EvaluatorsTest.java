package dev.millrace.scheduler.expression.evaluator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.expression.EvaluationFailed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests with real child processes. A request that kills one of them affects no other, and is not tried forever. */
class EvaluatorsTest {
    private static final Evaluators EVALUATORS = new Evaluators(new EvaluatorSettings(2, 64));

    private static final String LIST = "[1,2,3]";

    @Test
    void evaluates() {
        assertThat(EVALUATORS.evaluate(jq("map(. * 2)", LIST)))
                .isEqualTo(new Answer.Value("{\"result\":[2,4,6],\"resultList\":[[2,4,6]]}"));
        assertThat(EVALUATORS.evaluate(jq("error(\"no\")", LIST)))
                .isEqualTo(new Answer.Failed("ExpressionFailed", "The query \"error(\"no\")\" failed: no."));
    }

    @Test
    void keepsTextsAsTheyAre() {
        for (String text : List.of("\"plain\"", "\"ä\u00ff\"", "\"日本\"", "\"\\ud800\"", "\"😀\"")) {
            assertThat(EVALUATORS.evaluate(jq(".[0]", "[" + text + "]")))
                    .isInstanceOfSatisfying(
                            Answer.Value.class,
                            value -> assertThat(value.text()).startsWith("{\"result\":\""));
        }
        assertThat(EVALUATORS.evaluate(jq(".", "\"日本ä😀\"")))
                .isEqualTo(new Answer.Value("{\"result\":\"日本ä😀\",\"resultList\":[\"日本ä😀\"]}"));
    }

    /** Each of these queries would end the whole scheduler if it were evaluated there. */
    @Tag("nightly")
    @TestFactory
    List<DynamicTest> survivesWhatKillsItsProcess() {
        List<DynamicTest> tests = new ArrayList<>();
        for (String query : List.of(
                "\"a\" * 2147483647",
                ".[1000000000] = 1",
                "\"abc\" | gsub(\"\"; \"y\")",
                "\"" + "a".repeat(40) + "!\" | test(\"^(a+)+$\")")) {
            tests.add(DynamicTest.dynamicTest(query.substring(0, Math.min(40, query.length())), () -> {
                try {
                    assertThat(EVALUATORS.evaluate(jq(query, LIST))).isInstanceOf(Answer.Failed.class);
                } catch (EvaluationFailed killed) {
                    assertThat(killed.name()).isEqualTo("ExpressionLimit");
                    assertThat(killed.sentence()).contains("was stopped: it").endsWith("Do such work in a task.");
                }
                assertThat(EVALUATORS.evaluate(jq("length", LIST))).isInstanceOf(Answer.Value.class);
            }));
        }
        return tests;
    }

    @Test
    void remembersWhatKilledTwiceAndTriesItNoMore() {
        Evaluators evaluators = new Evaluators(new EvaluatorSettings(1, 64));
        Remembering memory = new Remembering();
        evaluators.remember(memory);
        Request killer = jq("\"a\" * 2147483647", LIST);

        assertThatThrownBy(() -> evaluators.evaluate(killer)).isInstanceOf(EvaluationFailed.class);
        assertThat(evaluators.kills()).isEqualTo(2);
        assertThat(memory.reasons).hasSize(1);

        assertThatThrownBy(() -> evaluators.evaluate(killer))
                .isInstanceOf(EvaluationFailed.class)
                .hasMessageContaining("64 MiB of memory");
        assertThat(evaluators.kills()).isEqualTo(2);
        assertThat(evaluators.evaluate(jq("length", LIST))).isInstanceOf(Answer.Value.class);
    }

    @Test
    void answersWhatAProgramAsksForWhileItRuns() {
        String function = "(function(steps){\"use strict\";return (steps[\"a\" + 1].result + steps.b.result\n)})";
        Request request = new Request(
                Language.JAVASCRIPT, "The expression", "", Arrays.asList(function, "x", "-", "+", "-", "{}"));

        Answer answer = EVALUATORS.evaluate(
                request, (part, key) -> part == 0 && key.equals("a1") ? "{\"result\":40}" : "{\"result\":2}");

        assertThat(answer).isEqualTo(new Answer.Value("42"));
    }

    @Test
    void whoeverIsInterruptedLeavesItsTurnToOthers() throws InterruptedException {
        Evaluators evaluators = new Evaluators(new EvaluatorSettings(1, 64));
        assertThat(evaluators.evaluate(jq("1", "1"))).isInstanceOf(Answer.Value.class);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        Thread busy = Thread.ofVirtual()
                .start(() -> evaluators.evaluate(asking(), (part, key) -> {
                    asked.countDown();
                    try {
                        mayAnswer.await();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    return "{\"result\":1}";
                }));
        asked.await();
        List<Throwable> ends = new ArrayList<>();
        Thread waiting = Thread.ofVirtual().unstarted(() -> {
            try {
                evaluators.evaluate(jq("2", "2"));
            } catch (EvaluatorStopped stopped) {
                ends.add(stopped);
            }
        });
        waiting.start();
        waiting.interrupt();
        waiting.join();
        mayAnswer.countDown();
        busy.join();

        assertThat(ends).hasSize(1);
        assertThat(evaluators.evaluate(jq("3", "3"))).isInstanceOf(Answer.Value.class);
    }

    private static Request asking() {
        return new Request(
                Language.JAVASCRIPT,
                "The expression",
                "",
                Arrays.asList("(function(steps){return steps[\"a\"].result})", "x", "-", "+", "-", "{}"));
    }

    private static Request jq(String query, String input) {
        return new Request(
                Language.JQ, "The query \"" + query + "\"", "Do such work in a task.", List.of(query, input));
    }

    private static final class Remembering implements KilledRequests {
        final Map<String, String> reasons = new ConcurrentHashMap<>();

        @Override
        public boolean isEmpty() {
            return reasons.isEmpty();
        }

        @Override
        public Optional<String> find(String key) {
            return Optional.ofNullable(reasons.get(key));
        }

        @Override
        public void add(String key, String reason) {
            reasons.put(key, reason);
        }
    }
}

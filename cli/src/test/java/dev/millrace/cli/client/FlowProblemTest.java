package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlowProblemTest {
    @Test
    void pointsAtFileLineAndColumn() {
        FlowProblem problem = new FlowProblem(7, 3, "steps[1].needs[0]", "There is no step 'splitt'.", "Name 'split'.");

        assertThat(problem.describe("flow.yaml"))
                .isEqualTo("flow.yaml:7:3: steps[1].needs[0]: There is no step 'splitt'. Name 'split'.");
    }

    @Test
    void leavesOutWhatIsNotKnown() {
        assertThat(new FlowProblem(0, 0, "", "The file is empty.", "").describe("flow.yaml"))
                .isEqualTo("flow.yaml: The file is empty.");
        assertThat(new FlowProblem(2, 0, "steps", "It is no list.", "").describe(""))
                .isEqualTo("line 2: steps: It is no list.");
    }
}

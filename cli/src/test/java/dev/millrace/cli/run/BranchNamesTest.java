package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BranchNamesTest {
    @Test
    void areFoundAtAnyDepth() {
        String flow = """
                millrace: v1
                steps:
                  - id: loop
                    for_each: [1]
                    steps:
                      - id: both
                        parallel:
                          branches:
                            - {name: sub, steps: []}
                            - {name: other, steps: []}
                  - id: unnamed
                    parallel: {branches: [{steps: []}]}
                """;

        assertThat(BranchNames.in(flow).names()).isEqualTo(Map.of("both", List.of("sub", "other")));
    }

    @Test
    void areLeftOutIfAnotherStepHasTheSameId() {
        String flow = """
                steps:
                  - {id: both, parallel: {branches: [{name: x}, {name: y}]}}
                  - {id: b, for_each: [1], steps: [{id: both, for_each: [1, 2], script: a.py}]}
                """;

        assertThat(BranchNames.in(flow).names()).isEmpty();
    }

    @Test
    void areLeftOutIfStepsOfOneIdHaveDifferentOnes() {
        String flow = """
                steps:
                  - {id: a, for_each: [1], steps: [{id: both, parallel: {branches: [{name: x}]}}]}
                  - {id: b, for_each: [1], steps: [{id: both, parallel: {branches: [{name: y}]}}]}
                """;

        assertThat(BranchNames.in(flow).names()).isEmpty();
        assertThat(BranchNames.in("a: [").names()).isEmpty();
    }
}

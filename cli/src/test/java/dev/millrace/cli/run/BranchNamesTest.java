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

        assertThat(BranchNames.in(flow)).isEqualTo(Map.of("both", List.of("sub", "other")));
    }

    @Test
    void areLeftOutIfStepsOfOneIdHaveDifferentOnes() {
        String flow = """
                steps:
                  - {id: a, for_each: [1], steps: [{id: both, parallel: {branches: [{name: x}]}}]}
                  - {id: b, for_each: [1], steps: [{id: both, parallel: {branches: [{name: y}]}}]}
                """;

        assertThat(BranchNames.in(flow)).isEqualTo(Map.of("both", List.of()));
        assertThat(BranchNames.in("a: [")).isEmpty();
    }
}

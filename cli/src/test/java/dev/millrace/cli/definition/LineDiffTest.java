package dev.millrace.cli.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineDiffTest {
    private static final Pattern HEAD = Pattern.compile("@@ -(\\d+),(\\d+) \\+(\\d+),(\\d+) @@");

    @Test
    void showsWhatDiffersWithWhatIsAround() {
        String before = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n";
        String after = "a\nb\nc\nD\ne\nf\ng\nh\ni\nj\nk\nl\nm\n";

        assertThat(LineDiff.of(before, after))
                .containsExactly(
                        "@@ -1,7 +1,7 @@",
                        " a",
                        " b",
                        " c",
                        "-d",
                        "+D",
                        " e",
                        " f",
                        " g",
                        "@@ -10,3 +10,4 @@",
                        " j",
                        " k",
                        " l",
                        "+m");
        assertThat(LineDiff.of(before, before)).isEmpty();
        assertThat(LineDiff.of("", "a\n")).containsExactly("@@ -0,0 +1,1 @@", "+a");
        assertThat(LineDiff.of("a\n", "")).containsExactly("@@ -1,1 +0,0 @@", "-a");
    }

    @Test
    void textsThatAreTooDifferentAreReplacedAsAWhole() {
        assertThat(LineDiff.of(numbers(0), numbers(5_000))).hasSize(10_001);
    }

    private static String numbers(int first) {
        return String.join(
                "\n",
                IntStream.range(first, first + 5_000)
                        .mapToObj(Integer::toString)
                        .toList());
    }

    @Test
    void theOneTextAndTheDifferencesMakeTheOther() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            List<String> before = lines(random);
            List<String> after = round % 3 == 0 ? lines(random) : edited(before, random);

            List<String> diff = LineDiff.of(String.join("\n", before), String.join("\n", after));

            assertThat(patched(before, diff)).as("%s to %s", before, after).isEqualTo(after);
        }
    }

    private static List<String> lines(Random random) {
        return IntStream.range(0, random.nextInt(1, 40))
                .mapToObj(_ -> "line " + random.nextInt(8))
                .toList();
    }

    private static List<String> edited(List<String> lines, Random random) {
        List<String> edited = new ArrayList<>(lines);
        for (int i = 0; i < 3; i++) {
            edited.add(random.nextInt(edited.size() + 1), "new " + i);
            if (edited.size() > 1) {
                edited.remove(random.nextInt(edited.size()));
            }
        }
        return edited;
    }

    /** Applies differences as the program patch does, and checks the numbers in their heads. */
    private static List<String> patched(List<String> before, List<String> diff) {
        List<String> made = new ArrayList<>();
        int next = 0;
        int end = 0;
        int madeEnd = 0;
        for (String line : diff) {
            Matcher head = HEAD.matcher(line);
            if (head.matches()) {
                assertThat(List.of(next, made.size())).isEqualTo(List.of(end, madeEnd));
                int count = Integer.parseInt(head.group(2));
                int from = Integer.parseInt(head.group(1)) - (count == 0 ? 0 : 1);
                made.addAll(before.subList(next, from));
                next = from;
                end = from + count;
                madeEnd = made.size() + Integer.parseInt(head.group(4));
            } else if (line.startsWith("+")) {
                made.add(line.substring(1));
            } else {
                assertThat(before.get(next)).isEqualTo(line.substring(1));
                next++;
                if (line.startsWith(" ")) {
                    made.add(line.substring(1));
                }
            }
        }
        assertThat(List.of(next, made.size())).isEqualTo(List.of(end, madeEnd));
        made.addAll(before.subList(next, before.size()));
        return made;
    }
}

package dev.millrace.scheduler.mqtt.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.mqtt.core.Handover.Reply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandoverTest {
    @Test
    void answersInOrderAndKnowsMessagesOfQosTwoByTheirIds() {
        Handover first = Handover.of(
                List.of(message("a", 2, 7), message("b", 1, 7), message("c", 0, 0), message("a", 2, 7)), Set.of());

        assertThat(topics(first)).containsExactly("a", "b", "c");
        assertThat(first.received()).containsExactly(7);
        assertThat(first.repeated()).isEqualTo(1);
        assertThat(first.replies())
                .containsExactly(new Reply.Received(7), new Reply.Acknowledge(7), new Reply.Received(7));

        Handover second = Handover.of(List.of(new Arrival.Release(7), message("d", 2, 7)), first.received());

        assertThat(topics(second)).containsExactly("d");
        assertThat(second.replies()).containsExactly(new Reply.Complete(7), new Reply.Received(7));
        assertThat(Handover.of(List.of(new Arrival.Release(9)), Set.of()).replies())
                .containsExactly(new Reply.Complete(9));
    }

    /** A broker that keeps the protocol, and a scheduler that is killed at any time: before it notes, or before it answers. */
    @Test
    void takesEachMessageOfQosTwoOnceWhereverAnybodyDies() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int messages = 200;
        List<String> taken = new ArrayList<>();
        Deque<Integer> unsent =
                new ArrayDeque<>(IntStream.range(0, messages).boxed().toList());
        // What the broker has sent: the message by its id, or a release.
        record Sent(int id, int message, boolean isReleased) {}
        List<Sent> inFlight = new ArrayList<>();
        Set<Integer> received = Set.of();
        boolean isNewConnection = true;
        while (!unsent.isEmpty() || !inFlight.isEmpty()) {
            List<Sent> wire = new ArrayList<>();
            if (isNewConnection) {
                wire.addAll(inFlight);
            }
            while (inFlight.size() < 5 && !unsent.isEmpty()) {
                int id = IntStream.rangeClosed(1, 6)
                        .filter(free -> inFlight.stream().noneMatch(one -> one.id() == free))
                        .findFirst()
                        .orElseThrow();
                Sent next = new Sent(id, unsent.removeFirst(), false);
                inFlight.add(next);
                wire.add(next);
            }
            for (int round = 0; round < 2; round++) {
                Handover handover = Handover.of(
                        wire.stream()
                                .map(one -> one.isReleased()
                                        ? new Arrival.Release(one.id())
                                        : message("m" + one.message(), 2, one.id()))
                                .toList(),
                        received);
                isNewConnection = random.nextInt(4) == 0;
                if (isNewConnection && random.nextBoolean()) {
                    break;
                }
                received = handover.received();
                taken.addAll(topics(handover));
                int heard = isNewConnection
                        ? random.nextInt(handover.replies().size() + 1)
                        : handover.replies().size();
                wire = new ArrayList<>();
                for (Reply reply : handover.replies().subList(0, heard)) {
                    Sent sent = inFlight.stream()
                            .filter(one -> one.id() == reply.id())
                            .findFirst()
                            .orElseThrow();
                    inFlight.remove(sent);
                    if (reply instanceof Reply.Received) {
                        Sent released = new Sent(sent.id(), sent.message(), true);
                        inFlight.add(released);
                        wire.add(released);
                    }
                }
                if (isNewConnection) {
                    break;
                }
            }
        }

        assertThat(taken).as("seed %s", seed).hasSize(messages).doesNotHaveDuplicates();
        assertThat(received).isEmpty();
    }

    private static List<String> topics(Handover handover) {
        return handover.fresh().stream().map(sent -> sent.head().topic()).toList();
    }

    private static Arrival message(String topic, int qos, int id) {
        return new Arrival.Message(
                new Arrival.Head(topic, qos, false, false, qos == 0 ? OptionalInt.empty() : OptionalInt.of(id)),
                new byte[0],
                MessageProperties.NONE);
    }
}

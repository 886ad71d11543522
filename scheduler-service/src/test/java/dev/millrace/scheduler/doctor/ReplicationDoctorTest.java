package dev.millrace.scheduler.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.ServerAddress;
import dev.millrace.scheduler.doctor.ServerLook.Following;
import dev.millrace.scheduler.doctor.ServerLook.Lineage;
import dev.millrace.scheduler.doctor.ServerLook.Primary;
import dev.millrace.scheduler.doctor.ServerLook.Standby;
import dev.millrace.scheduler.doctor.ServerLook.Unreachable;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicationDoctorTest {
    private static final Standby SYNC = standby("pg2", "streaming", "sync", 0, 0);
    private static final Standby ASYNC = standby("pg2", "streaming", "async", 1 << 20, 1);

    @Test
    void isContentWithASynchronousStandby() {
        assertThat(findings(primary("pg1", 3, "pg2", SYNC), following("pg2", 3)))
                .containsExactly(
                        "database servers OK All 2 servers answer, and pg1:5432 is the primary.",
                        "standbys OK Attached: pg2 (sync, 0.0 MiB and 0.0 s behind).");
    }

    @Test
    void saysWhatAnAsynchronousStandbyMeans() {
        assertThat(findings(primary("pg1", 3, "", ASYNC)))
                .containsExactly("standbys OK Attached: pg2 (async, 1.0 MiB and 1.0 s behind)."
                        + " Commits do not wait for them: a failover may lose the last ones.");
    }

    @Test
    void warnsOfServersThatAreAway() {
        assertThat(findings(new Unreachable(at("pg1"), "Connection refused"), primary("pg2", 4, "")))
                .containsExactly(
                        "database servers WARNING pg1:5432 does not answer: Connection refused.",
                        "standbys WARNING No standby is attached to pg2:5432, although the address names several servers:"
                                + " none of them could take over.");
    }

    @Test
    void asksNoSingleServerForAStandby() {
        assertThat(findings(primary("pg1", 1, "")))
                .containsExactly("standbys OK No standby is attached, so nothing takes over from this server.");
    }

    @Test
    void findsAnOldPrimaryAndUsesTheNewOne() {
        Primary old = primary("pg1", 3, "");
        Primary current = primary("pg2", 4, "", ASYNC);

        assertThat(ReplicationDoctor.primary(List.of(old, current))).contains(current);
        assertThat(findings(old, current))
                .contains(
                        "database servers ERROR pg1:5432 accepts writes, but is an old primary: it writes timeline 3, and"
                                + " pg2:5432 has replaced it with timeline 4.");
    }

    @Test
    void findsANewPrimaryThatTheAddressDoesNotName() {
        assertThat(findings(primary("pg1", 3, "", ASYNC), following("pg2", 5)))
                .contains(
                        "database servers ERROR pg2:5432 follows timeline 5, but pg1:5432 writes timeline 3: a server that"
                                + " the address does not name has replaced it.");
    }

    @Test
    void findsServersOfAnotherCluster() {
        Primary foreign = new Primary(at("pg2"), new Lineage("22", 9), "", "on", List.of());

        assertThat(findings(primary("pg1", 3, "", ASYNC), foreign))
                .contains("database servers ERROR pg1:5432 and pg2:5432 both accept writes, and belong to different"
                        + " clusters.");
    }

    @Test
    void findsThatNobodyIsThePrimary() {
        assertThat(findings(following("pg1", 3), following("pg2", 3)))
                .containsExactly("database servers ERROR None of the 2 servers is a primary: those that answer follow"
                        + " another server.");
    }

    @Test
    void findsThatNoCommitEnds() {
        assertThat(findings(primary("pg1", 3, "FIRST 1 (pg2)", standby("pg3", "streaming", "async", 0, 0))))
                .containsExactly("standbys ERROR No synchronous standby is attached to pg1:5432, so no commit ends:"
                        + " synchronous_standby_names is FIRST 1 (pg2).");
    }

    @Test
    void findsStandbysThatAreFarBehind() {
        assertThat(findings(primary("pg1", 3, "pg2", SYNC, standby("pg3", "catchup", "async", 512 << 20, 70))))
                .containsExactly(
                        "standbys WARNING The standby pg3 is 512.0 MiB and 70.0 s behind, and in the state catchup.");
    }

    @Test
    void findsThatCommitsDoNotWaitForTheSynchronousStandby() {
        Primary local = new Primary(at("pg1"), new Lineage("11", 3), "pg2", "local", List.of(SYNC));

        assertThat(findings(local))
                .containsExactly("standbys WARNING synchronous_commit is local: commits do not wait for the synchronous"
                        + " standby, and a failover may lose some.");
    }

    @Test
    void takesNoStandbyForMissingThatTheUserMayNotSee() {
        assertThat(findings(primary("pg1", 3, "pg2", standby("pg2", "", "", 0, 0))))
                .containsExactly("standbys OK Attached: pg2 (only users with the role pg_monitor see its state).");
    }

    private static List<String> findings(ServerLook... servers) {
        return ReplicationDoctor.judge(List.of(servers)).stream()
                .map(finding -> finding.subject() + " " + finding.level() + " " + finding.text())
                .toList();
    }

    private static Primary primary(String host, long timeline, String synchronousNames, Standby... standbys) {
        return new Primary(at(host), new Lineage("11", timeline), synchronousNames, "on", List.of(standbys));
    }

    private static Following following(String host, long timeline) {
        return new Following(at(host), new Lineage("11", timeline));
    }

    private static Standby standby(String name, String state, String synchrony, long bytesBehind, long secondsBehind) {
        return new Standby(name, state, synchrony, bytesBehind, Duration.ofSeconds(secondsBehind));
    }

    private static ServerAddress at(String host) {
        return new ServerAddress(host, 5432);
    }
}

/**
 * Attacks that must fail, over real processes. {@code docs/explanation/security.md} says what they are about.
 *
 * <p>Each test has a tag with the number of its attack, such as {@code attack-16}; some stand in other packages.
 *
 * <table>
 * <caption>Attacks and their tests</caption>
 * <tr><th>attack</th><th>test</th></tr>
 * <tr><td>1 no token, each method</td><td>{@code CredentialAttackTest.nobodyCallsAnythingWithoutAToken}</td></tr>
 * <tr><td>2 a token with a typing error never reaches the database</td>
 *     <td>{@code CredentialAttackTest.tokensWithTypingErrorsAreRefusedWithoutALookUp}</td></tr>
 * <tr><td>3 a revoked token and its open stream</td>
 *     <td>{@code CredentialAttackTest.aRevokedTokenEndsItsOpenStreams}</td></tr>
 * <tr><td>4 the id of a foreign run, each method</td>
 *     <td>{@code ForeignAttackTest.noMethodFindsARunOfAnotherWorkspace}</td></tr>
 * <tr><td>5, 6 the hash of a foreign flow or script</td>
 *     <td>{@code ForeignAttackTest.aHashOpensNothingInAnotherWorkspace}</td></tr>
 * <tr><td>7 a later message of a stream names another workspace</td>
 *     <td>{@code ForeignAttackTest.aLaterMessageOfAStreamCannotChangeTheWorkspace}</td></tr>
 * <tr><td>8 a bulk operation with a foreign id</td>
 *     <td>{@code ForeignAttackTest.aBulkOperationReachesNoForeignRun}</td></tr>
 * <tr><td>9 a foreign page token</td>
 *     <td>{@code ForeignAttackTest.aPageTokenOfAnotherWorkspaceShowsNothingOfIt}</td></tr>
 * <tr><td>10 a runner runs a version by its hash, or a handler</td>
 *     <td>{@code RoleAttackTest.aRunnerRunsNothingThatIsNotDeployed,
 *     aRunnerGivesNoInputToWhatIsNotDeployed}</td></tr>
 * <tr><td>11 a viewer sends a signal</td><td>{@code RoleAttackTest.aViewerSendsNoSignal}</td></tr>
 * <tr><td>12 a forged approver</td>
 *     <td>{@code RoleAttackTest.nobodyAnswersInTheNameOfAnAssignee, nobodyAnswersTwiceUnderTwoNames}</td></tr>
 * <tr><td>13 self-approval where it is forbidden</td>
 *     <td>{@code RoleAttackTest.nobodyApprovesAnOwnRunWhereThatIsForbidden, nobodyGetsAroundAnApproval}</td></tr>
 * <tr><td>14 a flow inside a flow that its developer may not run</td>
 *     <td>{@code RoleAttackTest.aFlowCannotContainAFlowThatItsDeveloperMayNotRun}</td></tr>
 * <tr><td>15 the token of a worker calls other methods</td>
 *     <td>{@code CredentialAttackTest.aWorkersTokenOpensSessionsAndNothingElse}</td></tr>
 * <tr><td>16 a worker offers slots for tags of the scheduler or of others</td>
 *     <td>{@code WorkerAttackTest.noWorkerOffersSlotsForTagsOfTheSchedulerOrOfAnotherWorkspace},
 *     {@code noWorkerOffersSlotsForTagsBeyondItsToken}, {@code aWorkerGetsTheJobsOfItsWorkspaceOnly}</td></tr>
 * <tr><td>17 a session is resumed under another token</td>
 *     <td>{@code WorkerAttackTest.aSessionResumesUnderItsOwnTokenOnly}</td></tr>
 * <tr><td>18 secrets for a stale lease, for another step, over plain text</td>
 *     <td>{@code WorkerAttackTest.aLeaseResolvesTheSecretsOfItsOwnStepWhileItIsHeld},
 *     {@code secretsDoNotCrossTheNetworkInPlainText}</td></tr>
 * <tr><td>19 a reference to a secret in the input of a caller</td>
 *     <td>{@code SecretAttackTest.aReferenceThatACallerSendsStaysText}</td></tr>
 * <tr><td>20 a secret in a condition, an environment or an output</td>
 *     <td>{@code SecretAttackTest.aReferenceStandsInTheInputOfTasksOnly}</td></tr>
 * <tr><td>21, 22 a secret in pieces, encoded, in results and exceptions</td>
 *     <td>SpilledSecretsTest, at night; script.MaskedSecretsTest</td></tr>
 * <tr><td>23 a script reads its worker's memory, environment or token</td>
 *     <td>SpyingScriptTest, script.HiddenProcessesTest</td></tr>
 * <tr><td>24 requests of other sites, DNS rebinding, a proxy before {@code dev}</td>
 *     <td>BrowserAttackTest, door.LocalCallerTest, door.EmbeddedPostgresTest</td></tr>
 * <tr><td>25 a ciphertext in another row</td>
 *     <td>{@code SecretAttackTest.aCiphertextOpensInItsOwnRowOnly}</td></tr>
 * </table>
 */
@NullMarked
package dev.millrace.e2e.attack;

import org.jspecify.annotations.NullMarked;

//! People, devices, invitations, and what operators store, through two nodes.

use std::time::Duration;

use cluster::Cluster;
use journal::{
    AuditLine, Bar, Block, Devices, Fault, Hash, Invitation, Invitations, Journal, NewDevice, Note,
    Operations, People, Side, Span,
};

use crate::brokers::Brokers;
use crate::{join, key};

const ADA: Hash = [1; 32];
const BEN: Hash = [2; 32];
const PHONE: Hash = [3; 32];

/// All that a server stores beside the lines.
pub async fn check(brokers: &Brokers) {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let one = join(brokers, "people", folders[0].path()).await;
    let two = join(brokers, "people", folders[1].path()).await;
    assert_eq!(one.deal_secret(), two.deal_secret());
    assert_ne!(one.deal_secret(), [0; 32]);
    assert_eq!(one.answers().await, Ok(()));

    a_person_is_known_everywhere_at_once(&one, &two).await;
    devices_count_until_they_are_signed_out(&one, &two).await;
    a_phrase_leads_to_its_person(&one, &two).await;
    changes_at_two_nodes_are_all_made(&one, &two).await;
    invitations_wait_for_their_people(&one, &two).await;
    what_operators_store_is_the_same_everywhere(&one, &two).await;
    people_are_listed_in_each_index(&one, &two).await;
    a_deleted_person_is_gone_everywhere(&one, &two).await;
    lines_are_never_rewritten(&one).await;

    // An index that is made again has the same.
    two.close().await;
    let folder = tempfile::tempdir().unwrap();
    let two = join(brokers, "people", folder.path()).await;
    two.caught_up().await;
    assert_eq!(two.forgotten(vec![ADA, BEN]).await, Ok(vec![ADA]));
    assert_eq!(names(&two).await, ["Ben"]);
}

async fn a_person_is_known_everywhere_at_once(one: &Cluster, two: &Cluster) {
    assert_eq!(two.signed_in(ADA).await, Ok(None));
    assert_eq!(one.introduce(ADA, "Ada".into(), 10).await, Ok(()));
    assert_eq!(two.signed_in(ADA).await, Ok(Some((ADA, "Ada".into()))));
    assert_eq!(two.put(ADA, "Ada L".into()).await, Ok(()));
    assert_eq!(one.get(ADA).await, Ok(Some("Ada L".into())));
    assert_eq!(one.get(BEN).await, Ok(None));
    assert_eq!(two.introduce(BEN, "Ben".into(), 20).await, Ok(()));
}

async fn devices_count_until_they_are_signed_out(one: &Cluster, two: &Cluster) {
    let phone = |at_s| NewDevice { hash: PHONE, person: ADA, at_s };
    assert_eq!(one.add_device(phone(5), 1).await, Ok(false), "one is all she may have");
    assert_eq!(two.signed_in(PHONE).await, Ok(None));
    assert_eq!(one.add_device(phone(5), 2).await, Ok(true));
    assert_eq!(two.signed_in(PHONE).await, Ok(Some((ADA, "Ada L".into()))));
    assert_eq!(two.devices(ADA).await, Ok((vec![5, 10], false)));
    let stranger = NewDevice { hash: [9; 32], person: [8; 32], at_s: 5 };
    assert_eq!(one.add_device(stranger, 2).await, Ok(false));
    assert_eq!(one.signed_in([9; 32]).await, Ok(None));
    // The first device is signed out, and the person stays the same.
    assert_eq!(two.keep_device(ADA, PHONE).await, Ok(1));
    assert_eq!(one.signed_in(ADA).await, Ok(None));
    assert_eq!(one.signed_in(PHONE).await, Ok(Some((ADA, "Ada L".into()))));
    assert_eq!(one.keep_device(ADA, PHONE).await, Ok(0));
}

async fn a_phrase_leads_to_its_person(one: &Cluster, two: &Cluster) {
    let (first, second) = ([4; 32], [5; 32]);
    assert_eq!(one.set_phrase(ADA, Some(first)).await, Ok(()));
    assert_eq!(two.person_of_phrase(first).await, Ok(Some(ADA)));
    assert_eq!(two.set_phrase(ADA, Some(second)).await, Ok(()));
    assert_eq!(one.person_of_phrase(first).await, Ok(None));
    assert_eq!(one.person_of_phrase(second).await, Ok(Some(ADA)));
    assert_eq!(one.devices(ADA).await, Ok((vec![5], true)));
    assert_eq!(one.set_phrase(ADA, None).await, Ok(()));
    assert_eq!(two.person_of_phrase(second).await, Ok(None));
}

/// Compare-and-swap: none of the changes is lost.
async fn changes_at_two_nodes_are_all_made(one: &Cluster, two: &Cluster) {
    let devices = (100..120_u8).map(|number| {
        let device = NewDevice { hash: [number; 32], person: BEN, at_s: u64::from(number) };
        [one, two][usize::from(number % 2)].add_device(device, 99)
    });
    let added = futures_util::future::join_all(devices).await;
    assert!(added.iter().all(|added| *added == Ok(true)), "{added:?}");
    assert_eq!(one.devices(BEN).await.unwrap().0.len(), 21);
    assert_eq!(two.keep_device(BEN, BEN).await, Ok(20));
}

async fn invitations_wait_for_their_people(one: &Cluster, two: &Cluster) {
    let invite = |from, to, at_s| Invitation { to, from, at_s, line: format!("{at_s}").into() };
    assert_eq!(one.invite(invite(ADA, BEN, 100), 0, 1).await, Ok(true));
    assert_eq!(two.invite(invite([7; 32], BEN, 101), 0, 1).await, Ok(false), "one waits");
    assert_eq!(
        two.invite(invite(ADA, [7; 32], 101), 0, 1).await,
        Ok(false),
        "that person is not known"
    );
    let waiting = vec![invite(ADA, BEN, 100)];
    assert_eq!(two.invitations(Side::To(BEN), 0).await, Ok(waiting.clone()));
    assert_eq!(two.invitations(Side::From(ADA), 100).await, Ok(waiting));
    assert_eq!(two.invitations(Side::From(ADA), 101).await, Ok(Vec::new()));
    assert_eq!(one.invite(invite(BEN, ADA, 200), 0, 9).await, Ok(true));
    assert_eq!(two.uninvite(ADA, BEN).await, Ok(()));
    assert_eq!(one.invitations(Side::To(ADA), 0).await, Ok(Vec::new()));
    assert_eq!(one.invitations(Side::From(BEN), 0).await, Ok(Vec::new()));
}

async fn what_operators_store_is_the_same_everywhere(one: &Cluster, two: &Cluster) {
    let subject = || Box::from("address 192.0.2.1");
    assert_eq!(one.block(subject(), 7).await, Ok(true));
    assert_eq!(two.block(subject(), 8).await, Ok(false));
    assert_eq!(two.blocks().await, Ok(vec![Block { subject: subject(), at_s: 7 }]));
    assert_eq!(two.unblock(subject()).await, Ok(true));
    assert_eq!(one.unblock(subject()).await, Ok(false));
    assert_eq!(one.blocks().await, Ok(Vec::new()));

    let bar = |subject: &str, until_s| Bar { subject: subject.into(), until_s };
    assert_eq!(one.bar(&key("t"), bar("b", 1_010), 1_000).await, Ok(()));
    assert_eq!(two.bar(&key("t"), bar("a", 1_002), 1_001).await, Ok(()));
    assert_eq!(one.bars(&key("t")).await, Ok(vec![bar("a", 1_002), bar("b", 1_010)]));
    assert_eq!(two.unbar(&key("t")).await, Ok(()));
    assert_eq!(one.bars(&key("t")).await, Ok(Vec::new()));
    // The brokers remove it when it has ended.
    assert_eq!(one.bar(&key("short"), bar("a", 1_001), 1_000).await, Ok(()));
    let mut looks = 0;
    while one.bars(&key("short")).await != Ok(Vec::new()) {
        looks += 1;
        assert!(looks < 200, "the bar is still there");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    for (number, node) in (0..).zip([one, two, one]) {
        let line = AuditLine { at_s: number, line: format!("line {number}").into() };
        assert_eq!(node.audit(line).await, Ok(()));
    }
    let (page, total) = two.audited(Span { skip: 1, most: 1 }).await.unwrap();
    assert_eq!((page, total), (vec![AuditLine { at_s: 1, line: "line 1".into() }], 3));
}

/// The names in a node's list, once it has what was stored before this call.
async fn names(node: &Cluster) -> Vec<String> {
    let (people, total) = node.people(Span { skip: 0, most: 9 }).await.unwrap();
    assert_eq!(people.len() as u64, total);
    people.into_iter().map(|person| person.line.into()).collect()
}

async fn people_are_listed_in_each_index(one: &Cluster, two: &Cluster) {
    one.seen(BEN, 5_000).await.unwrap();
    one.seen(ADA, 6_000).await.unwrap();
    for node in [one, two] {
        let second = async || {
            let (people, total) = node.people(Span { skip: 1, most: 9 }).await.unwrap();
            let found = people.into_iter().map(|it| (it.hash, it.line, it.seen_s));
            (found.collect::<Vec<_>>(), total)
        };
        let expected = (vec![(BEN, "Ben".into(), Some(5_000))], 2);
        let mut looks = 0;
        while second().await != expected {
            looks += 1;
            assert!(looks < 500, "{:?}", second().await);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(names(node).await, ["Ada L", "Ben"]);
    }
}

async fn a_deleted_person_is_gone_everywhere(one: &Cluster, two: &Cluster) {
    let invitation = Invitation { to: BEN, from: ADA, at_s: 1, line: "1".into() };
    assert_eq!(one.invite(invitation, 0, 9).await, Ok(true));
    assert_eq!(one.set_phrase(ADA, Some([6; 32])).await, Ok(()));
    assert_eq!(one.forget(ADA).await, Ok(()));
    assert_eq!(one.forgotten(vec![BEN, ADA]).await, Ok(vec![ADA]), "here at once");
    assert_eq!(one.deleted().await, Ok(vec![ADA]));
    for node in [one, two] {
        assert_eq!(node.get(ADA).await, Ok(None));
        assert_eq!(node.signed_in(PHONE).await, Ok(None));
        assert_eq!(node.person_of_phrase([6; 32]).await, Ok(None));
        assert_eq!(node.invitations(Side::To(BEN), 0).await, Ok(Vec::new()));
    }
    // What was on its way does not bring the person back.
    assert_eq!(two.put(ADA, "Ada".into()).await, Ok(()));
    assert_eq!(two.get(ADA).await, Ok(None));
    assert_eq!(one.forget(ADA).await, Ok(()));
}

async fn lines_are_never_rewritten(one: &Cluster) {
    let note = Note { text: "n".into(), listed: false, ended: true };
    one.append(&key("t"), 0, vec!["line".into()], Some(note)).await.unwrap();
    let removed = one.remove(vec![key("t")]).await;
    assert!(matches!(removed, Err(Fault::InCluster(_))), "{removed:?}");
    let rewritten = one.rewrite(std::sync::Arc::new(|_: &str| Ok(None))).await;
    assert!(matches!(rewritten, Err(Fault::InCluster(_))), "{rewritten:?}");
    assert_eq!(one.read(&key("t"), 0).await, Ok(vec!["line".into()]));
}

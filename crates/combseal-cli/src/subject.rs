//! What is tested: a key of any scheme, and the forms in which it is called.
//!
//! The library's schemes are types; a vector file names one at run time. A
//! [`Subject`] is the bridge: a key behind a pointer, called in every form that
//! the library offers, in buffers that notice a byte written beside them.

use combseal::cpu::Aes;
use combseal::hazmat::Cmac;
use combseal::{Aead, Batch, Error, Key, Limits, NonceCounter, Opener, Sealer, Tag};
use std::sync::Arc;

/// A way to call the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In place, the tag apart.
    InPlace,
    /// From one buffer to another, the tag apart.
    Separate,
    /// In place, the tag attached.
    Attached,
    /// Into a new vector, the tag attached.
    Vector,
    /// By a `Sealer` or an `Opener`, which keep what messages share.
    Kept,
    /// In a `Batch`, between other messages; for plain modes, on the comb's lanes.
    Batch,
    /// By the scheme's own call for a list of associated strings.
    Strings,
    /// A MAC: the tag made and verified, no message sealed.
    Mac,
}

impl Form {
    /// The form in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::InPlace => "in place",
            Self::Separate => "separate buffers",
            Self::Attached => "tag attached",
            Self::Vector => "as a vector",
            Self::Batch => "in a batch",
            Self::Kept => "by a sealer or opener",
            Self::Strings => "with a list of strings",
            Self::Mac => "as a MAC",
        }
    }
}

/// What goes into sealing and opening besides the message.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The nonce, if the scheme is used with one.
    pub nonce: Option<&'a [u8]>,
    /// The associated strings.
    pub ads: &'a [Vec<u8>],
    /// How far from its allocation's start a buffer begins, in bytes.
    pub offset: usize,
}

/// A message sealed: the ciphertext and the tag.
pub type Sealed = (Vec<u8>, Vec<u8>);

/// How a call went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The library refused it.
    Refused(Error),
    /// The library did something that it must not do.
    Broken(String),
}

impl From<Error> for Fault {
    fn from(e: Error) -> Self {
        Self::Refused(e)
    }
}

/// A key of some scheme.
pub trait Subject {
    /// What the library allows, where it says so.
    fn limits(&self) -> Option<Limits> {
        None
    }

    /// The forms that this message can be sealed and opened in.
    fn forms(&self, c: &Context) -> Vec<Form>;

    /// Seals `msg`.
    ///
    /// # Errors
    /// What the library answers; [`Fault::Broken`] for a byte outside a buffer.
    fn seal(&mut self, form: Form, c: &Context, msg: &[u8]) -> Result<Sealed, Fault>;

    /// Opens `ct` and returns the message.
    ///
    /// # Errors
    /// What the library answers; [`Fault::Broken`] if it then leaves anything but
    /// zeros, or touches a byte outside a buffer.
    fn open(&mut self, form: Form, c: &Context, ct: &[u8], tag: &[u8]) -> Result<Vec<u8>, Fault>;
}

/// A buffer between two fences.
struct Fenced {
    bytes: Vec<u8>,
    at: usize,
    len: usize,
}

/// Bytes of fence: more than any register has.
const FENCE: usize = 80;
const POST: u8 = 0xa5;

impl Fenced {
    fn new(offset: usize, body: &[u8]) -> Self {
        let at = FENCE + offset % 64;
        let mut bytes = vec![POST; at];
        bytes.extend_from_slice(body);
        bytes.resize(at + body.len() + FENCE, POST);
        Self { bytes, at, len: body.len() }
    }

    fn body(&mut self) -> &mut [u8] {
        &mut self.bytes[self.at..self.at + self.len]
    }

    /// The body, if both fences stand.
    fn take(self) -> Result<Vec<u8>, Fault> {
        let (before, rest) = self.bytes.split_at(self.at);
        let (body, behind) = rest.split_at(self.len);
        if before.iter().chain(behind).any(|&b| b != POST) {
            return Err(Fault::Broken("a byte outside of the buffer was written".into()));
        }
        Ok(body.to_vec())
    }

    /// What an `open` left behind: the message, nothing but zeros after a forgery, or
    /// what was there `before`.
    fn opened(self, done: Result<(), Error>, before: &[u8]) -> Result<Vec<u8>, Fault> {
        let body = self.take()?;
        match done {
            Ok(()) => Ok(body),
            Err(e) => refused(e, &body, before),
        }
    }
}

/// A refusal to open, which leaves zeros after a forgery, and else what was there `before`.
fn refused<T>(e: Error, left: &[u8], before: &[u8]) -> Result<T, Fault> {
    let wrong = match e {
        Error::Forged => left.iter().position(|&b| b != 0),
        _ => left.iter().zip(before).position(|(left, before)| left != before),
    };
    match wrong {
        None => Err(Fault::Refused(e)),
        Some(i) => Err(Fault::Broken(format!("refused ({e}), and byte {i} of the output is {:02x}", left[i]))),
    }
}

/// A key of an AEAD, with what a receiver and a sender keep.
struct Keyed {
    key: Arc<Key>,
    opener: Opener<Arc<Key>>,
    /// The sender, and the bytes before the counter.
    sealer: Option<(Sealer<Arc<Key>>, Vec<u8>)>,
    /// Whether the scheme takes lists of strings.
    lists: bool,
}

/// Wraps a key; `lists` for SIV, which takes any number of associated strings.
pub fn aead(lists: bool, key: Key) -> Box<dyn Subject> {
    let key = Arc::new(key);
    Box::new(Keyed { opener: Opener::new(Arc::clone(&key)), sealer: None, key, lists })
}

impl Keyed {
    /// A sealer whose next nonce is `nonce`: the last one, if it is just there. None if
    /// no sealer reaches it.
    fn sealer(&mut self, nonce: &[u8]) -> Option<&mut Sealer<Arc<Key>>> {
        let (prefix, count) = nonce.split_last_chunk()?;
        let count = u64::from_be_bytes(*count);
        let sealer = match self.sealer.take() {
            Some((sealer, p)) if p == prefix && sealer.next_counter() == count => sealer,
            _ => Sealer::new(Arc::clone(&self.key), NonceCounter::starting_at(prefix, count, count / 2).ok()?).ok()?,
        };
        Some(&mut self.sealer.insert((sealer, prefix.to_vec())).0)
    }
}

impl Subject for Keyed {
    fn limits(&self) -> Option<Limits> {
        Some(self.key.limits())
    }

    fn forms(&self, c: &Context) -> Vec<Form> {
        let mut forms = Vec::new();
        if c.ads.len() == 1 && (c.nonce.is_some() || !self.lists) {
            forms.extend([Form::InPlace, Form::Separate, Form::Attached, Form::Vector, Form::Batch, Form::Kept]);
        }
        if self.lists {
            forms.push(Form::Strings);
        }
        forms
    }

    fn seal(&mut self, form: Form, c: &Context, msg: &[u8]) -> Result<Sealed, Fault> {
        let mut buf = Fenced::new(c.offset, msg);
        let key = Arc::clone(&self.key);
        if form == Form::Strings {
            let tag = key.seal_vectored(&strings(c), buf.body())?;
            return Ok((buf.take()?, tag.as_bytes().to_vec()));
        }
        let (nonce, ad) = nonce_and_ad(c)?;
        let tag: Tag = match form {
            Form::InPlace => key.seal_in_place(nonce, ad, buf.body())?,
            Form::Separate => {
                buf.body().fill(0x5a);
                key.seal_to(nonce, ad, msg, buf.body())?
            }
            Form::Attached | Form::Vector => {
                let n = key.tag_len();
                let (first, end) = (key.description().tag_first, msg.len());
                let at = if first { 0 } else { end };
                let sealed = if form == Form::Attached {
                    let mut whole = msg.to_vec();
                    whole.splice(at..at, vec![0x5a; n]);
                    let mut buf = Fenced::new(c.offset, &whole);
                    key.seal_attached(nonce, ad, buf.body())?;
                    buf.take()?
                } else {
                    key.seal(nonce, ad, msg)?
                };
                let (a, b) = sealed.split_at(if key.description().tag_first {
                    n.min(sealed.len())
                } else {
                    at.min(sealed.len())
                });
                let (ct, tag) = if key.description().tag_first { (b, a) } else { (a, b) };
                return Ok((ct.to_vec(), tag.to_vec()));
            }
            Form::Batch => {
                let mut tag = vec![0; key.tag_len()];
                let others = Others::beside(nonce);
                let mut bufs = others.bufs.clone();
                let mut tags = others.bufs.map(|_| tag.clone());
                let [b0, b1, b2] = &mut bufs;
                let [t0, t1, t2] = &mut tags;
                let mut batch = Batch::new();
                batch.seal(&key, &others.nonces[0], ad, b0, t0);
                batch.seal(&key, nonce, ad, buf.body(), &mut tag);
                batch.seal(&key, &others.nonces[1], b"", b1, t1);
                batch.seal(&key, &others.nonces[2], ad, b2, t2);
                let done = batch.run()[1];
                let body = buf.take()?;
                if done.is_err() && [&body[..], &tag].concat().iter().any(|&b| b != 0) {
                    return Err(Fault::Broken("a refused job left more than zeros".into()));
                }
                done?;
                return Ok((body, tag));
            }
            Form::Kept => match self.sealer(nonce) {
                Some(sealer) => {
                    let (used, tag) = sealer.seal_in_place(ad, buf.body())?;
                    if used.as_ref() != nonce {
                        return Err(Fault::Broken(format!("the sealer used the nonce {used:?}")));
                    }
                    tag
                }
                None => key.seal_in_place(nonce, ad, buf.body())?,
            },
            Form::Strings | Form::Mac => return no_such_form(),
        };
        Ok((buf.take()?, tag.as_bytes().to_vec()))
    }

    fn open(&mut self, form: Form, c: &Context, ct: &[u8], tag: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut buf = Fenced::new(c.offset, ct);
        let key = Arc::clone(&self.key);
        if form == Form::Strings {
            let done = key.open_vectored(&strings(c), buf.body(), tag);
            return buf.opened(done, ct);
        }
        let (nonce, ad) = nonce_and_ad(c)?;
        match form {
            Form::InPlace => {
                let done = key.open_in_place(nonce, ad, buf.body(), tag);
                buf.opened(done, ct)
            }
            Form::Separate => {
                buf.body().fill(0x5a);
                let done = key.open_to(nonce, ad, ct, buf.body(), tag);
                buf.opened(done, &vec![0x5a; ct.len()])
            }
            Form::Batch => {
                let others = Others::beside(nonce);
                let mut bufs = others.bufs.clone();
                let [b0, b1, b2] = &mut bufs;
                let mut batch = Batch::new();
                batch.open(&key, nonce, ad, b0, tag);
                batch.open(&key, &others.nonces[0], ad, b1, tag);
                batch.open(&key, nonce, ad, buf.body(), tag);
                batch.open(&key, nonce, b"", b2, &tag[tag.len() / 2..]);
                let done = batch.run()[2];
                buf.opened(done, ct)
            }
            Form::Kept => {
                let done = self.opener.open_in_place(nonce, ad, buf.body(), tag);
                buf.opened(done, ct)
            }
            Form::Attached | Form::Vector => {
                let (a, b) = if key.description().tag_first { (tag, ct) } else { (ct, tag) };
                let whole = [a, b].concat();
                if form == Form::Vector {
                    return Ok(key.open(nonce, ad, &whole)?);
                }
                let mut buf = Fenced::new(c.offset, &whole);
                let done = key.open_attached(nonce, ad, buf.body()).map(|plain| plain.to_vec());
                let left = buf.take()?;
                done.or_else(|e| {
                    // Where the tag's length is another, message and tag meet elsewhere.
                    let n = key.tag_len().min(left.len());
                    let end = left.len() - n;
                    let body = if key.description().tag_first { n..left.len() } else { 0..end };
                    refused(e, &left[body.clone()], &whole[body])
                })
            }
            Form::Strings | Form::Mac => no_such_form(),
        }
    }
}

/// What shares a batch with a message: shorter and longer ones, with other nonces.
struct Others {
    nonces: [Vec<u8>; 3],
    bufs: [Vec<u8>; 3],
}

impl Others {
    fn beside(nonce: &[u8]) -> Self {
        let other = |i: u8| {
            let mut nonce = nonce.to_vec();
            match nonce.last_mut() {
                Some(last) => *last ^= i,
                None => nonce.push(i),
            }
            nonce
        };
        Self { nonces: [other(1), other(2), other(3)], bufs: [vec![1; 5], vec![2; 200], vec![3; 33]] }
    }
}

/// The nonce and the one string of associated data.
fn nonce_and_ad<'a>(c: &Context<'a>) -> Result<(&'a [u8], &'a [u8]), Fault> {
    match c.ads {
        [ad] => Ok((c.nonce.unwrap_or_default(), ad)),
        _ => Err(Fault::Broken("this scheme takes one string of associated data".into())),
    }
}

fn no_such_form<T>() -> Result<T, Fault> {
    Err(Fault::Broken("this scheme has no such form".into()))
}

/// All strings, the nonce last.
fn strings<'a>(c: &Context<'a>) -> Vec<&'a [u8]> {
    c.ads.iter().map(Vec::as_slice).chain(c.nonce).collect()
}

/// A MAC: what it authenticates is the associated data, and the message is empty.
struct Mac<A: Aes>(Cmac<A>);

/// Wraps a key of CMAC.
pub fn mac<A: Aes>(key: Cmac<A>) -> Box<dyn Subject> {
    Box::new(Mac(key))
}

impl<A: Aes> Subject for Mac<A> {
    fn forms(&self, _: &Context) -> Vec<Form> {
        vec![Form::Mac]
    }

    fn seal(&mut self, _: Form, c: &Context, _: &[u8]) -> Result<Sealed, Fault> {
        Ok((Vec::new(), self.0.tag(nonce_and_ad(c)?.1).as_bytes().to_vec()))
    }

    fn open(&mut self, _: Form, c: &Context, _: &[u8], tag: &[u8]) -> Result<Vec<u8>, Fault> {
        self.0.verify(nonce_and_ad(c)?.1, tag)?;
        Ok(Vec::new())
    }
}

/// What a plain mode does to a message, from an initial value on.
pub type Apply = Box<dyn Fn(&[u8; 16], &mut [u8]) -> Result<(), Error>>;

/// A plain mode: no tag.
pub struct Plain {
    /// Encrypts.
    pub encrypt: Apply,
    /// Decrypts.
    pub decrypt: Apply,
    /// Encrypts between other messages, where the mode can.
    pub many: Option<Apply>,
}

impl Subject for Plain {
    fn forms(&self, _: &Context) -> Vec<Form> {
        if self.many.is_some() { vec![Form::InPlace, Form::Batch] } else { vec![Form::InPlace] }
    }

    fn seal(&mut self, form: Form, c: &Context, msg: &[u8]) -> Result<Sealed, Fault> {
        let iv = c.nonce.unwrap_or_default().try_into().map_err(|_| Error::NonceLength)?;
        let mut buf = Fenced::new(c.offset, msg);
        match (&self.many, form) {
            (Some(many), Form::Batch) => many(iv, buf.body())?,
            _ => (self.encrypt)(iv, buf.body())?,
        }
        Ok((buf.take()?, Vec::new()))
    }

    fn open(&mut self, _: Form, c: &Context, ct: &[u8], _: &[u8]) -> Result<Vec<u8>, Fault> {
        let iv = c.nonce.unwrap_or_default().try_into().map_err(|_| Error::NonceLength)?;
        let mut buf = Fenced::new(c.offset, ct);
        (self.decrypt)(iv, buf.body())?;
        buf.take()
    }
}

/// A mode for whole blocks, with messages padded to them: PKCS #7's padding (RFC 5652, sect. 6.3),
/// which is PKCS #5's for blocks of 16 bytes. As many bytes as are added have that number.
struct Padded(Box<dyn Subject>);

/// Wraps a key of a plain mode.
pub fn padded(key: Box<dyn Subject>) -> Box<dyn Subject> {
    Box::new(Padded(key))
}

impl Subject for Padded {
    fn forms(&self, c: &Context) -> Vec<Form> {
        self.0.forms(c)
    }

    fn seal(&mut self, form: Form, c: &Context, msg: &[u8]) -> Result<Sealed, Fault> {
        let added = 16 - msg.len() % 16;
        self.0.seal(form, c, &[msg, &vec![added as u8; added]].concat())
    }

    fn open(&mut self, form: Form, c: &Context, ct: &[u8], tag: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut plain = self.0.open(form, c, ct, tag)?;
        let added = plain.last().copied().unwrap_or(0);
        let n = usize::from(added);
        if !(1..=16).contains(&n) || !plain[plain.len() - n.min(plain.len())..].iter().all(|&b| b == added) {
            return Err(Fault::Refused(Error::Forged));
        }
        plain.truncate(plain.len() - n);
        Ok(plain)
    }
}

//! Types that are read as what they hold.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    cmp::Reverse,
    marker::PhantomData,
    num::{Saturating, Wrapping},
    rc::Rc,
    sync::{Arc, Mutex, RwLock},
};

use crate::tool::schema::{
    Defs, Schema, ToolSchema,
    piece::Piece::{self, Text},
};

impl<T: ToolSchema> ToolSchema for Option<T> {
    // An option of an option is read as one option: `null` is the outer one's.
    const SCHEMA: Schema =
        if T::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD.is_optional() {
            T::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD
        } else {
            Schema::of(&[
                Text(r#""anyOf":["#),
                Piece::Schema(&T::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD),
                Text(r#",{"type":"null"}]"#),
            ])
            .optional(&T::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD)
        };
    const DEFS: Defs = T::DEFS;
    const CHECKED: bool = T::CHECKED;

    fn check(&self) -> bool {
        !T::CHECKED || self.as_ref().is_none_or(T::check)
    }
}

/// What is read as what it holds, and gives a reference to it.
macro_rules! transparent {
    ($($wrapper:ty, [$($bounds:tt)*]: |$self:ident| $inner:expr;)*) => {$(
        impl<T: ToolSchema $($bounds)*> ToolSchema for $wrapper {
            const SCHEMA: Schema = T::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD;
            const ID: crate::tool::schema::identity::Identity = T::ID;
            const DEFS: Defs = T::DEFS;
            const CHECKED: bool = T::CHECKED;

            fn check(&self) -> bool {
                let $self = self;
                !T::CHECKED || $inner
            }
        }
    )*};
}

transparent! {
    Box<T>, [+ ?Sized]: |this| (**this).check();
    Rc<T>, [+ ?Sized]: |this| (**this).check();
    Arc<T>, [+ ?Sized]: |this| (**this).check();
    &T, [+ ?Sized]: |this| (**this).check();
    Cow<'_, T>, [+ ?Sized + ToOwned]: |this| (**this).check();
    Reverse<T>, []: |this| this.0.check();
    Wrapping<T>, []: |this| this.0.check();
    Saturating<T>, []: |this| this.0.check();
    Cell<T>, [+ Copy]: |this| this.get().check();
    RefCell<T>, []: |this| this.try_borrow().is_ok_and(|value| value.check());
    Mutex<T>, []: |this| this.lock().is_ok_and(|value| value.check());
    RwLock<T>, []: |this| this.read().is_ok_and(|value| value.check());
}

impl<T: ?Sized> ToolSchema for PhantomData<T> {
    const SCHEMA: Schema = <()>::SCHEMA;
}
